import Geodesy

/// Values of points, and points that are complete.
extension GPXTrackBuilder {
  // MARK: - Values

  /// Evaluates the complete text of a leaf.
  mutating func takeValue(of element: GPXElement, _ line: Int, _ sink: inout some TrackSink) {
    guard !point.isDamaged else { return }
    leaf.text.withValue { text in
      switch element {
      case .time: point.hasTime = true
      case .elevation: point.elevation = Self.finite(DecimalText.double(text))
      case .hdop: point.hdop = Self.finite(DecimalText.double(text))
      case .speed: point.speed = Self.finite(DecimalText.double(text))
      case .accuracy: point.accuracy = DecimalText.double(text)
      default: break
      }
    }
    if element == .time, let time = times.time(leaf.text, line: line, &sink) { point.time = time }
  }

  private static func finite(_ number: Double?) -> Double? {
    guard let number, number.isFinite else { return nil }
    return number
  }

  // MARK: - Points

  /// Reports a complete point.
  @inline(__always)
  mutating func report(_ point: GPXPoint, _ sink: inout some TrackSink) {
    let coordinate = point.coordinate
    switch point.element {
    case .waypoint: document.waypoints += 1
    case .routePoint: document.routePoints += 1
    default: document.trackPoints += 1
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
        if time < segment.lastTime {
          sink.warn(
            .timeBackwards, line: point.line,
            "A time is earlier than the one before it; the order of the file was kept.")
        }
        segment.lastTime = time
      }
      sink.fix(point.fix(at: coordinate), line: point.line)
    }
  }

  private static func complaint(of point: GPXPoint) -> String {
    let isMissing = point.latitude == .missing || point.longitude == .missing
    return isMissing
      ? "A point has no latitude or no longitude; it was ignored."
      : "A coordinate is not a number, out of range or given twice; the point was ignored."
  }

  // MARK: - Damage

  /// Marks everything that follows in the point as unreliable, because its markup is broken.
  mutating func spoilPoint() {
    point.isDamaged = true
    leaf.element = nil
  }

  /// Handles text in a point, which must come from broken markup.
  mutating func takeFragment(line: Int, _ sink: inout some TrackSink) {
    guard !point.isDamaged else { return }
    sink.warn(
      .malformed, line: line,
      "A point contains fragments of markup; the rest of the point was ignored.")
    spoilPoint()
  }

  /// Handles an element that begins inside a value.
  mutating func breakLeaf(_ line: Int, _ sink: inout some TrackSink) {
    leaf.element = nil
    // In extensions an element may have children.
    guard elements.barrierDepth == 0 else { return }
    sink.warn(
      .malformed, line: line,
      "An element begins inside a value; the rest of the point was ignored.")
    spoilPoint()
  }
}
