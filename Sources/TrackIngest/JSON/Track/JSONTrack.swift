/// Reports the fixes of a JSON file as one track, which is cut into segments where the file has no
/// fixes for a long time.
struct JSONTrack {
  /// The longest time between two fixes of a segment, in milliseconds: half an hour, like the time
  /// between two visits. A phone that reports nothing for longer stayed in a place, was off, or
  /// flew.
  static let longestGapMilliseconds: Int64 = 30 * 60_000

  /// The number of positions, valid or not.
  private(set) var positions = 0
  /// The time of the last dated fix of the segment in milliseconds since 1970.
  private var lastTime: Int64?
  private var isBegun = false
  /// True if the next fix starts a segment.
  private var isCut = true

  /// Ends the segment: the next fix starts another.
  mutating func cut() { (isCut, lastTime) = (true, nil) }

  /// Reports a position: a fix, or a skipped one.
  mutating func add(_ point: JSONPoint, _ sink: inout some TrackSink) {
    positions += 1
    guard let coordinate = point.coordinate else {
      sink.locate(byte: point.place.byte)
      sink.skip(.invalidCoordinate, line: point.line)
      sink.warn(.unreadable, line: point.line, point.complaint)
      return
    }
    if let time = point.time {
      if let lastTime {
        if abs(time - lastTime) > Self.longestGapMilliseconds {
          isCut = true
        } else if time < lastTime {
          sink.warn(
            .timeBackwards, line: point.line,
            "A time is earlier than the one before it; the order of the file was kept.")
        }
      }
      lastTime = time
    }
    begin(&sink)
    sink.locate(byte: point.place.byte)
    sink.fix(point.fix(at: coordinate), line: point.line)
  }

  /// Reports a position that is a mark, not a fix.
  mutating func addWaypoint(_ point: JSONPoint, _ sink: inout some TrackSink) {
    positions += 1
    if let coordinate = point.coordinate {
      sink.locate(byte: point.place.byte)
      sink.waypoint(point.fix(at: coordinate), line: point.line)
    } else {
      sink.warn(.unreadable, line: point.line, point.complaint)
    }
  }

  private mutating func begin(_ sink: inout some TrackSink) {
    if !isBegun { sink.beginTrack() }
    if isCut { sink.beginSegment() }
    (isBegun, isCut) = (true, false)
  }
}
