/// Builds tracks, segments and fixes from the elements of a KML file.
///
/// A `Placemark` with a `Track` or `LineString` is a track, and each of these a segment. A `Point`
/// is a waypoint. `docs/formats/kml.md` lists the rules.
struct KMLTrackBuilder: XMLTrackBuilder {
  static let root = "kml"

  /// The placemark that is read.
  struct Placemark {
    /// True inside a `Placemark` element.
    var isOpen = false
    /// True if its track was begun.
    var hasTrack = false
    /// True if it has a `Track` with positions, so that a `LineString` says the same again.
    var hasTimedTrack = false
    /// Its time in milliseconds since 1970.
    var time: Int64?
    /// A waypoint whose time may still come.
    var waypoint: KMLPosition?
  }

  var document = XMLDocument()
  var usesFastPath = true
  let times: XMLTimes
  var placemark = Placemark()
  var pairing = KMLPairing()
  var tuples = KMLTupleReader()
  /// True if the geometry that is read is a `Point`.
  private var isInPoint = false
  /// The line of the `coord` that is read.
  private var coordLine = 1
  /// True if markup in the value that is read is broken.
  private var isDamaged = false
  /// The time of the last dated point of the segment in milliseconds since 1970.
  private var lastTime = Int64.min
  private var dates = XMLFastPath.DateCache()

  /// A builder at the start of a file.
  init(latestTime: Int64) { times = XMLTimes(latestTime: latestTime) }

  var isPointOpen: Bool { tuples.isOpen }

  // MARK: - Elements

  mutating func open(
    _ element: KMLElement, in parent: KMLElement, line: Int, _ sink: inout some TrackSink
  ) -> XMLContents {
    isDamaged = false
    switch element {
    case .foreign: return .nothing
    case .placemark:
      placemark = Placemark()
      placemark.isOpen = true
    case .track:
      beginSegment(&sink)
      pairing = KMLPairing()
    case .lineString:
      isInPoint = false
      guard !placemark.hasTimedTrack else {
        sink.warn(
          .leftOut, line: line,
          "A placemark has a track and a line; the line was ignored, because the track has times.")
        return .nothing
      }
      beginSegment(&sink)
    case .point: isInPoint = true
    case .coordinates:
      guard parent == .lineString || parent == .point else { return .nothing }
      tuples.reset()
      return .stream
    case .coord:
      guard parent == .track else { return .nothing }
      coordLine = line
      return .value
    case .when: return parent == .track || parent == .timeStamp ? .value : .nothing
    case .begin: return parent == .timeSpan ? .value : .nothing
    case .timeStamp, .timeSpan: return parent == .placemark ? .elements : .nothing
    case .document, .kml, .other: break
    }
    return .elements
  }

  private mutating func beginSegment(_ sink: inout some TrackSink) {
    if !placemark.isOpen || !placemark.hasTrack { sink.beginTrack() }
    placemark.hasTrack = true
    lastTime = .min
    sink.beginSegment()
  }

  mutating func close(
    _ element: KMLElement, isProper: Bool, line: Int, _ sink: inout some TrackSink
  ) {
    switch element {
    case .placemark:
      reportWaypoint(&sink)
      placemark = Placemark()
    case .track: endTrack(line, &sink)
    case .coordinates: if isProper, let last = tuples.finish() { report(last, &sink) }
    default: break
    }
  }

  mutating func spoil() {
    isDamaged = true
    tuples.spoil()
  }

  // MARK: - Values

  mutating func take(
    _ value: BoundedText, of element: KMLElement, in parent: KMLElement, line: Int,
    _ sink: inout some TrackSink
  ) {
    switch element {
    case .coord:
      let position =
        isDamaged || value.isTooLong
        ? KMLPosition(invalidAtLine: coordLine)
        : value.withValue { KMLPosition.read($0, line: coordLine) }
      take(position, &sink)
    case .when where parent == .track:
      take(time: isDamaged ? nil : times.time(value, line: line, &sink), line, &sink)
    case .when, .begin:
      if !isDamaged, let time = times.time(value, line: line, &sink) { placemark.time = time }
    default: break
    }
  }

  @inline(__always)
  private mutating func take(_ position: KMLPosition, _ sink: inout some TrackSink) {
    if position.isValid { placemark.hasTimedTrack = placemark.isOpen }
    switch pairing.take(position) {
    case .waiting: break
    case .complete(let position, let time): report(position, at: time, &sink)
    case .limited(let position):
      sink.warn(
        .leftOut, line: position?.line,
        "A track has more positions before their times than can wait; the first have no time.")
      if let position { report(position, at: nil, &sink) }
    }
  }

  @inline(__always)
  private mutating func take(time: Int64?, _ line: Int, _ sink: inout some TrackSink) {
    switch pairing.take(time: time) {
    case .waiting: break
    case .complete(let position, let time): report(position, at: time, &sink)
    case .limited:
      sink.warn(
        .leftOut, line: line,
        "A track has more times before their positions than can wait; the last were ignored.")
    }
  }

  private mutating func endTrack(_ line: Int, _ sink: inout some TrackSink) {
    var isShort = false
    while let position = pairing.takeWaitingPosition() {
      isShort = true
      report(position, at: nil, &sink)
    }
    if isShort, pairing.hasTimes {
      sink.warn(
        .repaired, line: line,
        "A track has fewer times than positions; the last positions have no time.")
    }
    if pairing.waitingTimes > 0 {
      sink.warn(
        .repaired, line: line,
        "A track has more times than positions; the last times were ignored.")
    }
    pairing = KMLPairing()
  }

  // MARK: - Positions

  /// Reports a position of a line or point.
  @inline(__always)
  private mutating func report(_ position: KMLPosition, _ sink: inout some TrackSink) {
    guard isInPoint else { return report(position, at: nil, &sink) }
    reportWaypoint(&sink)
    placemark.waypoint = position
    if !placemark.isOpen { reportWaypoint(&sink) }
  }

  /// Reports a position of a track or line.
  @inline(__always)
  private mutating func report(
    _ position: KMLPosition, at time: Int64?, _ sink: inout some TrackSink
  ) {
    guard let fix = position.fix(at: time) else { return skip(position, &sink) }
    document.trackPoints += 1
    if let time {
      if time < lastTime {
        sink.warn(
          .timeBackwards, line: position.line,
          "A time is earlier than the one before it; the order of the file was kept.")
      }
      lastTime = time
    }
    sink.fix(fix, line: position.line)
  }

  private mutating func skip(_ position: KMLPosition, _ sink: inout some TrackSink) {
    guard position.reading == .invalid else { return }
    document.trackPoints += 1
    sink.skip(.invalidCoordinate, line: position.line)
    warnOfInvalid(position, &sink)
  }

  private func warnOfInvalid(_ position: KMLPosition, _ sink: inout some TrackSink) {
    sink.warn(
      .unreadable, line: position.line,
      "A coordinate is missing, not a number or out of range; the point was ignored.")
  }

  private mutating func reportWaypoint(_ sink: inout some TrackSink) {
    guard let position = placemark.waypoint else { return }
    placemark.waypoint = nil
    document.waypoints += 1
    if let fix = position.fix(at: placemark.time) {
      sink.waypoint(fix, line: position.line)
    } else {
      warnOfInvalid(position, &sink)
    }
  }

  // MARK: - Streamed text

  mutating func takeStream(_ byte: UInt8, line: Int, _ sink: inout some TrackSink) {
    if let position = tuples.take(byte, line: line) { report(position, &sink) }
  }

  mutating func takeStream(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) {
    // Sound: the fast path reads only up to the slack before the end.
    let limit = end - start > XMLFastPath.slack ? end - XMLFastPath.slack : start - 1
    var at = start
    while at < end {
      if tuples.isIdle, usesFastPath, at <= limit {
        while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
        if at <= limit, let (next, longitude, latitude, elevation) = KMLFastPath.tuple(at, limit) {
          let position = KMLPosition(
            longitudeE7: longitude, latitudeE7: latitude, elevation: elevation,
            line: lines.line(at: at))
          report(position, &sink)
          at = next
          continue
        }
        guard at < end else { return }
      }
      if let position = tuples.take(at.pointee, line: lines.line(at: at)) {
        report(position, &sink)
      }
      at += 1
    }
  }

  // MARK: - Fast path

  func hasFastPath(_ element: KMLElement) -> Bool { usesFastPath && element == .track }

  mutating func readPlain(
    _ start: Position, _ end: Position, in element: KMLElement, _ lines: inout LineCounter,
    _ sink: inout some TrackSink
  ) -> Position {
    guard end - start > XMLFastPath.slack else { return start }
    // Sound: there are more bytes than the slack, so the limit is after `start`.
    let limit = end - XMLFastPath.slack
    var at = start
    var cache = dates
    while at < end, at.pointee == 0x3C {
      if let (next, time) = KMLFastPath.when(at, limit, latestTime: times.latestTime, &cache) {
        take(time: time, lines.line(at: at), &sink)
        at = next
      } else if let (next, longitude, latitude, elevation) = KMLFastPath.coord(at, limit) {
        let position = KMLPosition(
          longitudeE7: longitude, latitudeE7: latitude, elevation: elevation,
          line: lines.line(at: at))
        take(position, &sink)
        at = next
      } else {
        break
      }
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
    }
    dates = cache
    return at
  }
}
