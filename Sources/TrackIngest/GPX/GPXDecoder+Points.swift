import ByteStreams
import Geodesy

extension GPXDecoder {
  // MARK: - Values

  /// The text of a leaf is whole.
  mutating func takeValue(of leaf: GPXElement, _ sink: inout some TrackSink) {
    let count = isValueTooLong ? 0 : valueCount
    guard !point.isDamaged else { return }
    value.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes.prefix(count))
      switch leaf {
      case .time: point.hasTime = true
      case .elevation: point.elevation = Self.finite(DecimalText.double(text))
      case .hdop: point.hdop = Self.finite(DecimalText.double(text))
      case .speed: point.speed = Self.finite(DecimalText.double(text))
      case .accuracy: point.accuracy = DecimalText.double(text)
      default: break
      }
    }
    if leaf == .time { takeTime(&sink) }
  }

  private static func finite(_ number: Double?) -> Double? {
    guard let number, number.isFinite else { return nil }
    return number
  }

  private mutating func takeTime(_ sink: inout some TrackSink) {
    let reading = value.withUnsafeBufferPointer {
      isValueTooLong ? .none : TimeText.read(UnsafeBufferPointer(rebasing: $0.prefix(valueCount)))
    }
    switch reading {
    case .moment(let milliseconds): take(milliseconds, &sink)
    case .day(let milliseconds):
      sink.warn(.repaired, line: tokenLine, "a date without a time of day, read as midnight UTC")
      take(milliseconds, &sink)
    case .none:
      // An empty element says nothing, so there is nothing wrong in it.
      if valueCount > 0 {
        sink.warn(.impossibleTime, line: tokenLine, "what stands as time is none; the point is undated")
      }
    }
  }

  private mutating func take(_ milliseconds: Int64, _ sink: inout some TrackSink) {
    if milliseconds < 0 {
      sink.warn(.impossibleTime, line: tokenLine, "a time before 1970; the point is undated")
    } else if milliseconds > latestTime {
      sink.warn(.impossibleTime, line: tokenLine, "a time in the future; the point is undated")
    } else {
      point.time = milliseconds
    }
  }

  // MARK: - Points

  /// Takes plain points from `start`, which is `<`, as long as one follows the other.
  /// Returns the position of the first byte that is not taken.
  mutating func takePlainPoints(
    _ start: Position, _ end: Position, _ sink: inout some TrackSink
  ) -> Position {
    guard end - start > GPXFastPath.slack else { return start }
    let limit = end - GPXFastPath.slack
    var at = start
    var cache = dates
    while at < end, at.pointee == 0x3C {
      var plain = GPXPoint()
      guard
        let next = GPXFastPath.point(
          at: at, limit: limit, latestTime: latestTime, into: &plain, dates: &cache)
      else { break }
      plain.line = lines.line(at: at)
      report(plain, &sink)
      at = next
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
    }
    dates = cache
    return at
  }

  /// The point is whole, or was cut off by what follows.
  mutating func closePoint(_ sink: inout some TrackSink) {
    isPointOpen = false
    report(point, &sink)
  }

  /// Hands a point to the sink.
  @inline(__always)
  mutating func report(_ point: GPXPoint, _ sink: inout some TrackSink) {
    let coordinate = point.coordinate
    switch point.element {
    case .waypoint: waypointCount += 1
    case .routePoint: routePointCount += 1
    default: trackPointCount += 1
    }
    guard let coordinate else {
      if point.element == .trackPoint { sink.skip(.invalidCoordinate, line: point.line) }
      sink.warn(.unreadable, line: point.line, Self.complaint(of: point))
      return
    }
    switch point.element {
    case .waypoint: sink.waypoint(point.fix(at: coordinate), line: point.line)
    case .routePoint: sink.routePoint(point.fix(at: coordinate), line: point.line)
    default:
      if let time = point.time {
        if time < lastTime {
          sink.warn(.timeBackwards, line: point.line, "a time earlier than that of the point before")
        }
        lastTime = time
      }
      sink.fix(point.fix(at: coordinate), line: point.line)
    }
  }

  private static func complaint(of point: GPXPoint) -> String {
    let isMissing = point.latitude == .missing || point.longitude == .missing
    return isMissing
      ? "a point without latitude or longitude is left out"
      : "a point whose latitude or longitude is not a number, out of range or given twice is left out"
  }

  /// Something in the point is broken: nothing further in it is believed.
  mutating func spoilPoint() {
    point.isDamaged = true
    capture = nil
  }

  /// Text in a point that must come from broken markup.
  mutating func damagePoint(_ line: Int, _ sink: inout some TrackSink) {
    guard !point.isDamaged else { return }
    sink.warn(.malformed, line: line, "pieces of markup stand as text in a point")
    spoilPoint()
  }

  /// An element begins inside a value.
  mutating func breakLeaf(_ leaf: GPXElement, _ sink: inout some TrackSink) {
    capture = nil
    // In extensions an element may well have children.
    guard barrierDepth == 0 else { return }
    sink.warn(.malformed, line: tokenLine, "an element begins inside a value")
    spoilPoint()
  }

  // MARK: - The document

  /// Text or elements outside the root.
  mutating func noteJunk(_ line: Int, _ sink: inout some TrackSink) {
    sawContent = true
    guard !hasWarnedOfJunk || closedRoots > junkWarnedAt else { return }
    hasWarnedOfJunk = true
    junkWarnedAt = closedRoots
    if closedRoots > 0 {
      sink.warn(.trailingJunk, line: line, "something other than white space after the end of the document")
    } else {
      sink.warn(.malformed, line: line, "text before the root element")
    }
  }

  /// The XML declaration: where it is no longer at the start, a new document begins.
  mutating func takeDeclaration(_ sink: inout some TrackSink) {
    guard isAtStart else {
      if !stack.isEmpty {
        sink.warn(.malformed, line: tokenLine, "another document begins before the end of the last one")
        close(downTo: 0, &sink)
        updateContext()
      } else if closedRoots == 0 {
        sink.warn(.malformed, line: tokenLine, "the XML declaration is not at the very start")
      }
      return
    }
    guard !isWideText, let name = declaredEncoding() else { return }
    switch ByteEncoding.declared(name) {
    case .use(.utf8): break
    case .use(.asciiCompatible): validatesUTF8 = false
    case .use(let encoding): requestedEncoding = encoding
    case .contradicted:
      sink.warn(.encoding, line: tokenLine, "the file is declared as \(name) and is not; read as UTF-8")
    case .unknown:
      validatesUTF8 = false
      sink.warn(.encoding, line: tokenLine, "the encoding \(name) is unknown; read as ASCII")
    }
  }

  /// The name after `encoding=` in the declaration. Only letters, digits and `._:-()`, so it can be shown.
  private func declaredEncoding() -> String? {
    let text = instruction.prefix(instructionCount)
    let key = Array("encoding".utf8)
    guard let start = text.indices.first(where: { text[$0...].starts(with: key) }) else { return nil }
    let rest = text[(start + key.count)...].drop {
      DecimalText.isSpace($0) || $0 == 0x3D || $0 == 0x22 || $0 == 0x27
    }
    let name = rest.prefix { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x3A, 0x2D, 0x28, 0x29: true
      default: false
      }
    }
    return name.isEmpty || name.count > 40 ? nil : String(decoding: name, as: UTF8.self)
  }

  /// The bytes have ended: says what is missing, and whether anything in them was GPX.
  mutating func conclude(into sink: inout some TrackSink) -> IngestError? {
    if state == .reference { closeBareAmpersand(&sink) }
    let line = lines.line
    let positions = trackPointCount + routePointCount + waypointCount
    if !sawRoot && positions == 0 {
      return sawContent
        ? IngestError(code: .unknownFormat, message: "no gpx element in it")
        : IngestError(code: .empty, message: "nothing in it but white space")
    }
    if !stack.isEmpty || state != .text {
      if positions == 0, closedRoots == 0 {
        return IngestError(code: .malformed, line: line, message: "ends before any point is whole")
      }
      sink.warn(
        .truncated, line: line,
        isPointOpen
          ? "ends in the middle of a point, which is left out" : "ends before its elements are closed")
    }
    if positions == 0 {
      sink.warn(.leftOut, line: nil, "there are no points in it")
    } else if trackPointCount == 0 {
      sink.warn(
        .leftOut, line: nil,
        "no track points: \(routePointCount) route points and \(waypointCount) waypoints are plans and marks")
    }
    return nil
  }
}
