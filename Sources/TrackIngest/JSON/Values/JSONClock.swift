/// Reads times: ISO 8601 in any form that ``TimeText`` reads, or a number of seconds or
/// milliseconds since 1970, as a number or as a text.
struct JSONClock {
  /// The latest possible time in milliseconds since 1970.
  let latestTime: Int64

  /// The time in milliseconds since 1970; nil, with a warning, if the value is not a time or is
  /// impossible; nil without a warning if there is no value.
  func time(of value: JSONPrimitive, line: Int, _ sink: inout some TrackSink) -> Int64? {
    if value.isNothing { return nil }
    guard let milliseconds = Self.milliseconds(value) else {
      sink.warn(.impossibleTime, line: line, "A time is impossible; it was ignored.")
      return nil
    }
    return possible(milliseconds, line: line, &sink)
  }

  /// The time, or nil with a warning if it is before 1970 or in the future.
  func possible(_ milliseconds: Int64, line: Int, _ sink: inout some TrackSink) -> Int64? {
    if milliseconds < 0 {
      sink.warn(.impossibleTime, line: line, "A time is before 1970; it was ignored.")
    } else if milliseconds > latestTime {
      sink.warn(.impossibleTime, line: line, "A time is in the future; it was ignored.")
    } else {
      return milliseconds
    }
    return nil
  }

  /// Numbers from here on are milliseconds: 100 000 000 000 seconds are the year 5138, and as many
  /// milliseconds are 1973.
  private static let firstMilliseconds = 1e11

  /// The time of a value, possible or not; nil if it is not a time.
  static func milliseconds(_ value: JSONPrimitive) -> Int64? {
    // Texts of eight digits are dates.
    if !value.isString || (value.text.count >= 9 && value.text.allSatisfy(isNumeral)) {
      return value.number.flatMap(milliseconds(number:))
    }
    switch TimeText.read(value.text) {
    case .moment(let milliseconds), .day(let milliseconds): return milliseconds
    case .none: return nil
    }
  }

  /// Smaller numbers are not times, but seconds since the start of a track: the first is in 1973.
  private static let firstSeconds = 1e8

  /// The time of a number.
  static func milliseconds(number: Double) -> Int64? {
    guard abs(number) >= firstSeconds else { return nil }
    let milliseconds = abs(number) < firstMilliseconds ? number * 1000 : number
    return abs(milliseconds) < 1e17 ? Int64(milliseconds.rounded()) : nil
  }

  private static func isNumeral(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte == 0x2E }
}
