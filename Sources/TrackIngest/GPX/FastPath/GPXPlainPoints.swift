/// Runs of plain points on the fast path.
struct GPXPlainPoints {
  /// True if the fast path is used; tests compare both paths.
  var isEnabled = true
  private var dates = XMLFastPath.DateCache()

  /// Reads plain points from `start`, which is `<`, as long as one follows the other. Returns the
  /// position of the first byte that is not consumed. `start` and `end` bound initialized memory.
  mutating func scan(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ lines: inout LineCounter,
    _ builder: inout GPXTrackBuilder, _ sink: inout some TrackSink
  ) -> UnsafePointer<UInt8> {
    guard end - start > XMLFastPath.slack else { return start }
    // Sound: there are more bytes than the slack, so the limit is after `start`.
    let limit = end - XMLFastPath.slack
    let latestTime = builder.times.latestTime
    var at = start
    var cache = dates
    while at < end, at.pointee == 0x3C {
      var plain = GPXPoint()
      guard
        let next = GPXFastPath.point(
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
