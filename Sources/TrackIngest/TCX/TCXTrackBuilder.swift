/// Builds tracks, segments and fixes from the elements of a TCX file.
///
/// An `Activity` is a track, and each `Track` in it a segment. A `Course` is a plan: its points are
/// route points, and its `CoursePoint`s waypoints. A `Trackpoint` without a `Position` is no
/// position: it has a heart rate, for example, and nothing else.
struct TCXTrackBuilder: XMLTrackBuilder {
  static let root = "TrainingCenterDatabase"

  var document = XMLDocument()
  var usesFastPath = true
  let times: XMLTimes
  var point = TCXPoint()
  var isPointOpen = false
  /// True in a course.
  var isInCourse = false
  /// True in an activity or course.
  private var isTrackOpen = false
  /// True if a segment is open, with or without an element of its own.
  private var isSegmentOpen = false
  /// The time of the last dated point of the segment in milliseconds since 1970.
  private var lastTime = Int64.min
  private var plainPoints = TCXPlainPoints()

  /// A builder at the start of a file.
  init(latestTime: Int64) { times = XMLTimes(latestTime: latestTime) }

  // MARK: - Elements

  mutating func open(
    _ element: TCXElement, in parent: TCXElement, line: Int, _ sink: inout some TrackSink
  ) -> XMLContents {
    switch element {
    case .activity, .course: beginTrack(isCourse: element == .course, &sink)
    case .track:
      if !isTrackOpen {
        sink.warn(
          .malformed, line: line, "A track is outside an activity; an activity was begun for it.")
        beginTrack(isCourse: false, &sink)
      }
      beginSegment(&sink)
    case .trackPoint, .coursePoint:
      beginPoint(isCoursePoint: element == .coursePoint, line, &sink)
      return .elementsOnly
    default: return isValue(element, in: parent) ? .value : .elements
    }
    return .elements
  }

  private mutating func beginTrack(isCourse: Bool, _ sink: inout some TrackSink) {
    isInCourse = isCourse
    (isTrackOpen, isSegmentOpen) = (true, false)
    if isCourse { sink.beginRoute() } else { sink.beginTrack() }
  }

  private mutating func beginSegment(_ sink: inout some TrackSink) {
    isSegmentOpen = true
    lastTime = .min
    if !isInCourse { sink.beginSegment() }
  }

  private mutating func beginPoint(
    isCoursePoint: Bool, _ line: Int, _ sink: inout some TrackSink
  ) {
    point = TCXPoint()
    point.line = line
    point.isCoursePoint = isCoursePoint
    isPointOpen = true
    guard !isCoursePoint, !isSegmentOpen else { return }
    sink.warn(
      .malformed, line: line,
      "A track point is outside a track; it was added to an implied track.")
    if !isTrackOpen { beginTrack(isCourse: false, &sink) }
    beginSegment(&sink)
  }

  /// Whether an element is a value that is not known yet: the first of its kind in a point counts,
  /// and both coordinates are read again so that a second one is noticed.
  private func isValue(_ element: TCXElement, in parent: TCXElement) -> Bool {
    guard isPointOpen, !point.isDamaged else { return false }
    let isChild = parent == .trackPoint || parent == .coursePoint
    switch element {
    case .latitude, .longitude: return parent == .position
    case .time: return isChild && !point.hasTime
    case .altitude: return isChild && point.elevation == nil
    case .speed: return point.speed == nil
    case .accuracy: return point.accuracy == nil
    default: return false
    }
  }

  mutating func close(
    _ element: TCXElement, isProper: Bool, line: Int, _ sink: inout some TrackSink
  ) {
    switch element {
    case .trackPoint, .coursePoint:
      isPointOpen = false
      report(point, &sink)
    case .track: isSegmentOpen = false
    case .activity, .course: (isTrackOpen, isSegmentOpen, isInCourse) = (false, false, false)
    default: break
    }
  }

  mutating func spoil() { if isPointOpen { point.isDamaged = true } }

  // MARK: - Values

  mutating func take(
    _ value: BoundedText, of element: TCXElement, in parent: TCXElement, line: Int,
    _ sink: inout some TrackSink
  ) {
    guard !point.isDamaged else { return }
    switch element {
    case .latitude:
      point.latitude = axis(value, after: point.latitude, limitE7: 900_000_000, line, &sink)
    case .longitude:
      point.longitude = axis(value, after: point.longitude, limitE7: 1_800_000_000, line, &sink)
    case .time:
      point.hasTime = true
      point.time = times.time(value, line: line, &sink)
    case .altitude: point.elevation = Self.finite(value)
    case .speed: point.speed = Self.finite(value)
    case .accuracy: point.accuracy = value.withValue(DecimalText.double)
    default: break
    }
  }

  private static func finite(_ value: BoundedText) -> Double? {
    guard let number = value.withValue(DecimalText.double), number.isFinite else { return nil }
    return number
  }

  private func axis(
    _ value: BoundedText, after earlier: TCXPoint.Axis, limitE7: Int64, _ line: Int,
    _ sink: inout some TrackSink
  ) -> TCXPoint.Axis {
    // Given twice: neither value is reliable.
    guard earlier == .missing else { return .invalid }
    switch value.withValue({ DecimalText.degreesE7($0, limitE7: limitE7) }) {
    case .value(let value): return .value(value)
    case .commaValue(let value):
      sink.warn(
        .repaired, line: line,
        "A coordinate has a decimal comma; it was read as a decimal point.")
      return .value(value)
    case .notANumber, .outOfRange: return .invalid
    }
  }

  // MARK: - Points

  /// Reports a complete point.
  @inline(__always)
  mutating func report(_ point: TCXPoint, _ sink: inout some TrackSink) {
    if point.hasNoPosition { return }
    if point.isCoursePoint {
      document.waypoints += 1
    } else if isInCourse {
      document.routePoints += 1
    } else {
      document.trackPoints += 1
    }
    guard let fix = point.fix else {
      if !point.isCoursePoint, !isInCourse { sink.skip(.invalidCoordinate, line: point.line) }
      sink.warn(
        .unreadable, line: point.line,
        "A coordinate is missing, not a number, out of range or given twice; the point was ignored."
      )
      return
    }
    if point.isCoursePoint { return sink.waypoint(fix, line: point.line) }
    if isInCourse { return sink.routePoint(fix, line: point.line) }
    if let time = point.time {
      if time < lastTime {
        sink.warn(
          .timeBackwards, line: point.line,
          "A time is earlier than the one before it; the order of the file was kept.")
      }
      lastTime = time
    }
    sink.fix(fix, line: point.line)
  }

  // MARK: - Fast path

  func hasFastPath(_ element: TCXElement) -> Bool { usesFastPath && element == .track }

  mutating func readPlain(
    _ start: Position, _ end: Position, in element: TCXElement, _ lines: inout LineCounter,
    _ sink: inout some TrackSink
  ) -> Position {
    var points = plainPoints
    let next = points.scan(start, end, &lines, &self, &sink)
    plainPoints = points
    return next
  }

  mutating func takeStream(_ byte: UInt8, line: Int, _ sink: inout some TrackSink) {}

  mutating func takeStream(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) {}
}
