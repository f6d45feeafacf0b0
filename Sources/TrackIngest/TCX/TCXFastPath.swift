/// Reads a whole plain trackpoint, with the helpers of ``XMLFastPath``.
///
/// It handles what almost every file contains: time, position, altitude, other elements with or
/// without plain attributes, and extensions. At the first unexpected byte it returns nil, and the
/// exact path reads the same point again. Both paths give the same values.
///
/// - Bounds: those of ``XMLFastPath``.
enum TCXFastPath {
  typealias Fast = XMLFastPath
  /// A position in the piece that is scanned: see *Bounds*.
  typealias Position = XMLFastPath.Position

  // The bytes of tags, the first in the lowest place.
  private static var pointStart: UInt64 { 0x6F70_6B63_6172_543C }  // <Trackpo
  private static var pointStartEnd: UInt64 { 0x3E74_6E69_6F70_6B63 }  // ckpoint>
  private static var pointEnd: UInt64 { 0x706B_6361_7254_2F3C }  // </Trackp
  private static var pointEndEnd: UInt64 { 0x3E74_6E69_6F70_6B63 }  // ckpoint>
  private static var timeStart: UInt64 { 0x0000_3E65_6D69_543C }  // <Time>
  private static var timeEnd: UInt64 { 0x003E_656D_6954_2F3C }  // </Time>
  private static var positionStart: UInt64 { 0x6F69_7469_736F_503C }  // <Positio
  private static var positionEnd: UInt64 { 0x6974_6973_6F50_2F3C }  // </Positi
  private static var latitudeStart: UInt64 { 0x6475_7469_7461_4C3C }  // <Latitud
  private static var latitudeEnd: UInt64 { 0x7574_6974_614C_2F3C }  // </Latitu
  private static var longitudeStart: UInt64 { 0x7574_6967_6E6F_4C3C }  // <Longitu
  private static var longitudeEnd: UInt64 { 0x7469_676E_6F4C_2F3C }  // </Longit
  private static var degreesStart: UInt64 { 0x7365_6572_6765_4465 }  // eDegrees
  private static var degreesEnd: UInt64 { 0x3E73_6565_7267_6544 }  // Degrees>
  private static var altitudeStart: UInt64 { 0x6475_7469_746C_413C }  // <Altitud
  private static var altitudeStartEnd: UInt64 { 0x3E73_7265_7465_4D65 }  // eMeters>
  private static var altitudeEnd: UInt64 { 0x7574_6974_6C41_2F3C }  // </Altitu
  private static var metersEnd: UInt64 { 0x3E73_7265_7465_4D65 }  // eMeters>

  private static var sixBytes: UInt64 { 0xFFFF_FFFF_FFFF }
  private static var sevenBytes: UInt64 { 0xFF_FFFF_FFFF_FFFF }

  /// Reads the point that begins at `start`, which must be `<`. Returns the position after its end,
  /// or nil.
  @inline(__always)
  static func point(
    at start: Position, limit: Position, latestTime: Int64, into point: inout TCXPoint,
    dates: inout Fast.DateCache
  ) -> Position? {
    guard start <= limit, Fast.load(start) == pointStart, Fast.load(start + 4) == pointStartEnd
    else { return nil }
    var at = start + 12
    while true {
      at = Fast.skipSpaces(at, limit)
      guard at <= limit else { return nil }
      let word = Fast.load(at)
      if word & sixBytes == timeStart {
        guard !point.hasTime, let (next, time) = Fast.time(at + 6, limit, &dates),
          Fast.load(next) & sevenBytes == timeEnd, time >= 0, time <= latestTime
        else { return nil }
        point.hasTime = true
        point.time = time
        at = next + 7
      } else if word == positionStart {
        guard let next = position(at, limit, into: &point) else { return nil }
        at = next
      } else if word == altitudeStart {
        guard point.elevation == nil, Fast.load(at + 8) == altitudeStartEnd else { return nil }
        at += 16
        let number = Fast.number(&at, limit)
        guard at <= limit, Fast.load(at) == altitudeEnd, Fast.load(at + 9) == metersEnd,
          at[8] == 0x64
        else { return nil }
        if let number, number.isFinite { point.elevation = number }
        at += 17
      } else if word == pointEnd {
        return Fast.load(at + 5) == pointEndEnd ? at + 13 : nil
      } else {
        guard word & 0xFF == 0x3C, let next = element(at, limit, depth: 0, into: &point) else {
          return nil
        }
        at = next
      }
    }
  }

  /// Reads a position: latitude, then longitude.
  @inline(__always)
  private static func position(
    _ start: Position, _ limit: Position, into point: inout TCXPoint
  ) -> Position? {
    guard start[8] == 0x6E, start[9] == 0x3E, point.hasNoPosition else { return nil }
    var at = Fast.skipSpaces(start + 10, limit)
    guard at <= limit, Fast.load(at) == latitudeStart, Fast.load(at + 8) == degreesStart,
      at[16] == 0x3E
    else { return nil }
    at += 17
    guard let latitude = Fast.degreesE7(&at, limit, limitE7: 900_000_000), at <= limit,
      Fast.load(at) == latitudeEnd, Fast.load(at + 10) == degreesEnd, at[8] == 0x64, at[9] == 0x65
    else { return nil }
    at = Fast.skipSpaces(at + 18, limit)
    guard at <= limit, Fast.load(at) == longitudeStart, Fast.load(at + 9) == degreesStart,
      at[8] == 0x64, at[17] == 0x3E
    else { return nil }
    at += 18
    guard let longitude = Fast.degreesE7(&at, limit, limitE7: 1_800_000_000), at <= limit,
      Fast.load(at) == longitudeEnd, Fast.load(at + 11) == degreesEnd,
      at[8] == 0x75, at[9] == 0x64, at[10] == 0x65
    else { return nil }
    at = Fast.skipSpaces(at + 19, limit)
    guard at <= limit, Fast.load(at) == positionEnd, at[8] == 0x6F, at[9] == 0x6E, at[10] == 0x3E
    else { return nil }
    point.latitude = .value(latitude)
    point.longitude = .value(longitude)
    return at + 11
  }

  // MARK: - Further elements

  /// Reads an element that begins at `start`, with its contents.
  private static func element(
    _ start: Position, _ limit: Position, depth: Int, into point: inout TCXPoint
  ) -> Position? {
    guard let tag = Fast.startTag(start, limit) else { return nil }
    let kind = TCXElement.named(tag.localName)
    guard kind == .other || kind == .speed || kind == .accuracy else { return nil }
    if tag.isEmpty { return tag.end }
    guard var markup = Fast.textEnd(tag.end, limit) else { return nil }
    if markup[1] == 0x2F {
      let value = UnsafeBufferPointer(start: tag.end, count: markup - tag.end)
      guard take(value, as: kind, into: &point) else { return nil }
      return Fast.end(markup, named: start + 1, length: tag.nameLength, limit)
    }
    // Values have no children.
    guard kind == .other, depth < 8 else { return nil }
    repeat {
      guard let next = element(markup, limit, depth: depth + 1, into: &point),
        let following = Fast.textEnd(next, limit)
      else { return nil }
      markup = following
    } while markup[1] != 0x2F
    return Fast.end(markup, named: start + 1, length: tag.nameLength, limit)
  }

  /// Takes the text of an accuracy or speed, unless there was an earlier one.
  @inline(__always)
  private static func take(
    _ text: UnsafeBufferPointer<UInt8>, as kind: TCXElement, into point: inout TCXPoint
  ) -> Bool {
    guard kind != .other else { return true }
    guard text.count <= XMLLimits.valueBytes else { return false }
    let number = DecimalText.double(text)
    if kind == .accuracy {
      if point.accuracy == nil { point.accuracy = number }
    } else if point.speed == nil, let number, number.isFinite {
      point.speed = number
    }
    return true
  }
}

/// Runs of plain points on the fast path.
struct TCXPlainPoints {
  private var dates = XMLFastPath.DateCache()

  /// Reads plain points from `start`, which is `<`, as long as one follows the other. Returns the
  /// position of the first byte that is not consumed. `start` and `end` bound initialized memory.
  @inline(__always)
  mutating func scan(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ lines: inout LineCounter,
    _ builder: inout TCXTrackBuilder, _ sink: inout some TrackSink
  ) -> UnsafePointer<UInt8> {
    guard end - start > XMLFastPath.slack else { return start }
    // Sound: there are more bytes than the slack, so the limit is after `start`.
    let limit = end - XMLFastPath.slack
    let latestTime = builder.times.latestTime
    var at = start
    var cache = dates
    while at < end, at.pointee == 0x3C {
      var plain = TCXPoint()
      guard
        let next = TCXFastPath.point(
          at: at, limit: limit, latestTime: latestTime, into: &plain, dates: &cache)
      else { break }
      plain.line = lines.line(at: at)
      builder.report(plain, &sink)
      at = next
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
    }
    dates = cache
    return at
  }
}
