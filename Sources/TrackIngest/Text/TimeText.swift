/// Reads the times of track files: ISO 8601 and the variants that real programs write.
///
/// In addition to `2024-05-01T10:00:00Z` it accepts fractions of any length (rounded to
/// milliseconds), offsets (`+02:00`, `+0200`, `+02`), no zone (UTC, as GPX specifies), lowercase
/// letters, a space for the `T`, single digits, basic format (`20240501T100000Z`), no seconds,
/// 24:00:00, leap seconds, and the 12-hour times of phones set to other languages (`下午4:00:01`,
/// `9:05 PM`). A date alone is midnight UTC.
///
/// - Source: ISO 8601-1:2019, 5.2 to 5.4; offsets up to ±14:00 as in XML Schema Part 2, 3.2.7.
enum TimeText {
  /// The result of reading a text.
  enum Reading: Equatable {
    /// A moment, in milliseconds since 1970-01-01T00:00:00Z.
    case moment(Int64)
    /// A day without a time of day: the moment when it begins in UTC, in milliseconds.
    case day(Int64)
    /// Not a time.
    case none
  }

  /// Milliseconds in a day.
  static let dayMilliseconds: Int64 = 86_400_000

  /// Reads one time.
  ///
  /// - Complexity: O(length).
  static func read(_ text: UnsafeBufferPointer<UInt8>) -> Reading {
    var resolution = TimeResolution.second
    return read(text, &resolution)
  }

  /// Reads one time, and how exact it is.
  ///
  /// - Parameter resolution: undefined if the text is not a time.
  /// - Complexity: O(length).
  static func read(
    _ text: UnsafeBufferPointer<UInt8>, _ resolution: inout TimeResolution
  ) -> Reading {
    resolution = .day
    var cursor = TextCursor(text)
    cursor.skipSpaces()
    guard let days = date(&cursor) else { return .none }
    let midnight = days * dayMilliseconds
    var rest = cursor
    rest.skipSpaces()
    if rest.isAtEnd { return .day(midnight) }
    if !cursor.take(0x54) { _ = cursor.take(0x74) }
    cursor.skipSpaces()
    guard let clock = clock(&cursor, &resolution), let offset = zone(&cursor) else { return .none }
    cursor.skipSpaces()
    guard cursor.isAtEnd else { return .none }
    return .moment(midnight + clock - offset)
  }

  /// Days since 1970-01-01 of a date in the Gregorian calendar; nil if there is no such day.
  /// Years 1...9999.
  static func days(year: Int, month: Int, day: Int) -> Int64? {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length =
      month == 2
      ? (isLeap ? 29 : 28) : (month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31)
    guard day <= length else { return nil }
    let before = year - 1
    // There are 719 162 days between 0001-01-01 and 1970-01-01.
    let yearStart = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
    // Days before the month in a common year; one more after February in a leap year.
    let monthStart = (367 * month - 362) / 12 - (month > 2 ? (isLeap ? 1 : 2) : 0)
    return Int64(yearStart + monthStart + day - 1)
  }

  /// `YYYY-MM-DD` with one or two digits for month and day, or `YYYYMMDD`.
  private static func date(_ cursor: inout TextCursor) -> Int64? {
    let (value, count) = cursor.digits()
    if count == 8 { return days(year: value / 10_000, month: value / 100 % 100, day: value % 100) }
    guard count == 4, cursor.take(0x2D) else { return nil }
    guard let month = cursor.number(digits: 1...2), cursor.take(0x2D),
      let day = cursor.number(digits: 1...2)
    else { return nil }
    return days(year: value, month: month, day: day)
  }

  /// The time of day in milliseconds, with a 12-hour mark before or after it.
  private static func clock(
    _ cursor: inout TextCursor, _ resolution: inout TimeResolution
  ) -> Int64? {
    var half = dayHalf(&cursor)
    cursor.skipSpaces()
    guard let clock = hoursMinutesSeconds(&cursor, &resolution) else { return nil }
    var (hour, milliseconds) = clock
    if half == nil {
      var rest = cursor
      rest.skipSpaces()
      half = dayHalf(&rest)
      if half != nil { cursor = rest }
    }
    if let half {
      switch half {
      case .morning:
        guard hour <= 12 else { return nil }
        if hour == 12 { hour = 0 }
      case .afternoon: if hour < 12 { hour += 12 }
      }
    }
    guard hour < 24 || (hour == 24 && milliseconds == 0) else { return nil }
    return Int64(hour) * 3_600_000 + milliseconds
  }

  /// The hour, and the milliseconds after it. A second of 60 is a leap second: the first second of
  /// the next minute.
  private static func hoursMinutesSeconds(
    _ cursor: inout TextCursor, _ resolution: inout TimeResolution
  ) -> (hour: Int, milliseconds: Int64)? {
    resolution = .second
    let (value, count) = cursor.digits()
    var hour = value
    var minute = 0
    var second = 0
    switch count {
    case 6: (hour, minute, second) = (value / 10_000, value / 100 % 100, value % 100)
    case 4:
      (hour, minute) = (value / 100, value % 100)
      resolution = .minute
    case 1, 2:
      guard cursor.take(0x3A), let minutes = cursor.number(digits: 1...2) else { return nil }
      minute = minutes
      if cursor.take(0x3A) {
        guard let seconds = cursor.number(digits: 1...2) else { return nil }
        second = seconds
      } else {
        resolution = .minute
      }
    default: return nil
    }
    guard minute < 60, second <= 60 else { return nil }
    var milliseconds = Int64(minute * 60 + second) * 1000
    if cursor.take(0x2E) || cursor.take(0x2C) {
      guard let fraction = cursor.milliseconds() else { return nil }
      milliseconds += fraction
    }
    return (hour, milliseconds)
  }

  private enum DayHalf { case morning, afternoon }

  /// The marks for the halves of the day that phones write: English, Chinese, Japanese, Korean.
  private static func dayHalf(_ cursor: inout TextCursor) -> DayHalf? {
    // Latin marks begin with A or P, so that the common case costs one comparison.
    guard let byte = cursor.peek, byte >= 0x80 || byte | 0x20 == 0x61 || byte | 0x20 == 0x70 else {
      return nil
    }
    for mark in ["am", "a.m.", "上午", "午前", "오전"] where cursor.take(mark) { return .morning }
    for mark in ["pm", "p.m.", "下午", "午後", "오후"] where cursor.take(mark) { return .afternoon }
    return nil
  }

  /// The offset from UTC in milliseconds; 0 if there is no zone.
  private static func zone(_ cursor: inout TextCursor) -> Int64? {
    cursor.skipSpaces()
    guard let byte = cursor.peek else { return 0 }
    if cursor.take(0x5A) || cursor.take(0x7A) || cursor.take("utc") || cursor.take("gmt") {
      return 0
    }
    guard byte == 0x2B || byte == 0x2D else { return nil }
    cursor.advance()
    let (value, count) = cursor.digits()
    var hour = value
    var minute = 0
    if count == 4 {
      (hour, minute) = (value / 100, value % 100)
    } else {
      guard (1...2).contains(count) else { return nil }
      if cursor.take(0x3A) {
        guard let minutes = cursor.number(digits: 2...2) else { return nil }
        minute = minutes
      }
    }
    guard minute < 60, hour * 60 + minute <= 14 * 60 else { return nil }
    let offset = Int64(hour * 60 + minute) * 60_000
    return byte == 0x2D ? -offset : offset
  }
}
