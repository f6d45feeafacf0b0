/// Evaluates the times of a file and warns of those that are impossible.
struct XMLTimes {
  /// The latest possible time in milliseconds since 1970.
  let latestTime: Int64

  /// The time that a text states, in milliseconds since 1970; nil if there is none that is
  /// possible. An empty text is not an error.
  func time(_ text: BoundedText, line: Int, _ sink: inout some TrackSink) -> Int64? {
    switch text.withValue(TimeText.read) {
    case .moment(let milliseconds): return possible(milliseconds, line, &sink)
    case .day(let milliseconds):
      sink.warn(.repaired, line: line, "A date has no time of day; it was read as midnight UTC.")
      return possible(milliseconds, line, &sink)
    case .none:
      if text.count > 0 {
        sink.warn(.impossibleTime, line: line, "A time is impossible; it was ignored.")
      }
      return nil
    }
  }

  private func possible(_ milliseconds: Int64, _ line: Int, _ sink: inout some TrackSink) -> Int64?
  {
    if milliseconds < 0 {
      sink.warn(.impossibleTime, line: line, "A time is before 1970; it was ignored.")
      return nil
    }
    if milliseconds > latestTime {
      sink.warn(.impossibleTime, line: line, "A time is in the future; it was ignored.")
      return nil
    }
    return milliseconds
  }
}
