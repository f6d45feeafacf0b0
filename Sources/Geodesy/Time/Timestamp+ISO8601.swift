/// A date in the proleptic Gregorian calendar.
package struct CalendarDay: Hashable, Sendable {
  /// The astronomical year, which may be 0 or negative.
  package let year: Int
  /// The month, 1...12.
  package let month: Int
  /// The day of the month, 1...31.
  package let day: Int

  /// Creates the date this many days after 1970-01-01.
  ///
  /// The year is counted from 1 March, so that the leap day comes last. An era is 400 years or
  /// 146 097 days.
  package init(daysSince1970: Int) {
    let shifted = daysSince1970 + 719_468  // days from 0000-03-01 to 1970-01-01
    let era = Self.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days from 1970-01-01 to a date; nil if the date does not exist.
  @inlinable
  package static func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1, day <= daysInMonth(month, year: year) else {
      return nil
    }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The number of days in a month, 28...31.
  @inlinable
  package static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  @usableFromInline
  static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}

extension Timestamp {
  /// The milliseconds in a day of UTC, which has no leap seconds here.
  @inlinable package static var millisecondsPerDay: Int64 { 86_400_000 }

  /// The date in UTC.
  package var day: CalendarDay { CalendarDay(daysSince1970: daysSince1970) }

  /// The whole days since 1970-01-01, rounded down.
  package var daysSince1970: Int {
    CalendarDay.floorDivide(Int(millisecondsSince1970), Int(Self.millisecondsPerDay))
  }

  /// The time in ISO 8601 in UTC, `2024-05-01T10:00:00Z`, with three decimals of the second if they
  /// are not zero.
  ///
  /// Years 0...9999 have four digits, so that texts sort like times if the `Z` at their end is left
  /// out: with it, `10:00:00.123Z` sorts before `10:00:00Z`. Other years have as many digits as
  /// they need, with a minus sign if they are negative.
  public var iso8601: String {
    let date = day
    guard (0...9_999).contains(date.year) else {
      return "\(date.year)-" + Self.text(year: 0, date, self).dropFirst(5)
    }
    return Self.text(year: date.year, date, self)
  }

  /// The maximum number of bytes that ``writeISO8601(to:)`` writes: `2024-05-01T10:00:00.123Z`.
  package static let maximumISO8601Bytes = 24

  /// Writes ``iso8601`` in ASCII at the start of a buffer.
  ///
  /// Sound: it writes 20 or 24 bytes, for which its callers have made room.
  ///
  /// - Precondition: the year is 0...9999, and `buffer` has room for ``maximumISO8601Bytes``.
  /// - Returns: the number of bytes.
  package func writeISO8601(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let date = day
    precondition((0...9_999).contains(date.year), "the year takes more than four digits")
    return Self.write(year: date.year, date, self, to: buffer)
  }

  /// The text for a year of four digits.
  ///
  /// Sound: `write` initializes the bytes that it counts, ``maximumISO8601Bytes`` at most.
  private static func text(year: Int, _ date: CalendarDay, _ time: Timestamp) -> String {
    String(unsafeUninitializedCapacity: maximumISO8601Bytes) {
      write(year: year, date, time, to: $0)
    }
  }

  private static func write(
    year: Int, _ date: CalendarDay, _ time: Timestamp, to buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var writer = DigitWriter(buffer)
    writer.append(year, digits: 4, then: "-")
    writer.append(date.month, digits: 2, then: "-")
    writer.append(date.day, digits: 2, then: "T")
    return writer.count
      + time.writeISO8601Clock(to: UnsafeMutableBufferPointer(rebasing: buffer[writer.count...]))
  }

  /// Writes the part of ``iso8601`` from the hour on in ASCII at the start of a buffer:
  /// `10:00:00.123Z`.
  ///
  /// Sound: it writes 9 or 13 bytes, for which its callers have made room.
  ///
  /// - Returns: the number of bytes.
  private func writeISO8601Clock(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    // Subtracting the time of the day's start would overflow for the earliest times of `Int64`.
    let rest = Int(millisecondsSince1970 % Self.millisecondsPerDay)
    let milliseconds = rest < 0 ? rest + Int(Self.millisecondsPerDay) : rest
    let seconds = milliseconds / 1_000
    let fraction = milliseconds % 1_000
    var writer = DigitWriter(buffer)
    writer.append(seconds / 3_600, digits: 2, then: ":")
    writer.append(seconds / 60 % 60, digits: 2, then: ":")
    writer.append(seconds % 60, digits: 2, then: fraction == 0 ? "Z" : ".")
    if fraction != 0 { writer.append(fraction, digits: 3, then: "Z") }
    return writer.count
  }

  /// Writes numbers of a fixed width into bytes, one after another.
  ///
  /// Sound: its creator provides room in the buffer for everything that is appended, and keeps the
  /// buffer alive.
  private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func append(_ value: Int, digits: Int, then separator: Unicode.Scalar) {
      var rest = UInt32(truncatingIfNeeded: value)
      for place in stride(from: count + digits - 1, through: count, by: -1) {
        buffer[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
        rest /= 10
      }
      buffer[count + digits] = UInt8(ascii: separator)
      count += digits + 1
    }
  }

  /// Reads the format of ``iso8601``: `YYYY-MM-DDTHH:MM:SS`, an optional fraction of any length
  /// (truncated after the millisecond), and `Z`. Nil for anything else.
  public init?(iso8601 text: String) {
    var text = text
    guard let time = text.withUTF8({ Timestamp(iso8601: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = time
  }

  /// Reads the same format from UTF-8.
  ///
  /// Sound: the first 20 bytes exist, and later indexes are compared with the count. No pointer is
  /// kept.
  package init?(iso8601 bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 20 else { return nil }
    /// The value of some digits; negative if one of them is not a digit.
    func number(_ start: Int, _ count: Int) -> Int {
      var value = 0
      for index in start..<start + count {
        let digit = Int(bytes[index]) - 0x30
        guard (0...9).contains(digit) else { return -1 }
        value = value * 10 + digit
      }
      return value
    }
    func has(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
      bytes[index] == UInt8(ascii: scalar)
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    guard has("-", at: 4), has("-", at: 7), has("T", at: 10), has(":", at: 13), has(":", at: 16),
      year >= 0, (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
      let days = CalendarDay.daysSince1970(year: year, month: month, day: day)
    else { return nil }
    var milliseconds = 0
    var end = 19
    if has(".", at: end) {
      end += 1
      var weight = 100
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) {
        milliseconds += weight * Int(bytes[end] - 0x30)
        weight /= 10
        end += 1
      }
      guard end > 20 else { return nil }
    }
    guard end == bytes.count - 1, has("Z", at: end) else { return nil }
    let total = ((days * 24 + hour) * 60 + minute) * 60 + second
    self.init(millisecondsSince1970: Int64(total) * 1_000 + Int64(milliseconds))
  }
}
