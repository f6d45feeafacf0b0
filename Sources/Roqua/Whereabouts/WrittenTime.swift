import Geodesy

/// A time as people and programs write it, read from UTF-8.
package enum WrittenTime: Hashable, Sendable {
  /// A moment: ISO 8601 with `Z` or an offset from UTC, or Unix seconds.
  case moment(Timestamp)
  /// A time by a clock whose zone is not stated: milliseconds from 1970-01-01T00:00 by that clock.
  case clock(Int64)
  /// A date without a time.
  case date
  /// Spaces only.
  case blank
  /// Anything else.
  case invalid

  /// Reads `2024-05-01T10:00:00Z`, `2024-05-01 10:00+02:00`, `2024-05-01T10:00`, or Unix seconds,
  /// which may have a fraction. Digits after the millisecond are ignored, and so are spaces and
  /// tabs around the text.
  package init(_ text: some BidirectionalCollection<UInt8>) {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = text.firstIndex { !isSpace($0) }
    let end = text.lastIndex { !isSpace($0) }
    guard let start, let end else {
      self = .blank
      return
    }
    var reader = TimeReader(bytes: Array(text[start...end].prefix(Self.longest + 1)))
    self = reader.bytes.count > Self.longest ? .invalid : reader.read()
  }

  /// Bytes of the longest text that is read.
  private static let longest = 64
}

/// Reads one time from its start to its end.
private struct TimeReader {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var isAtEnd: Bool { index == bytes.count }

  private mutating func skip(_ scalars: Unicode.Scalar...) -> Bool {
    guard index < bytes.count, scalars.contains(where: { UInt8(ascii: $0) == bytes[index] }) else {
      return false
    }
    index += 1
    return true
  }

  /// The next number, which has exactly this many digits.
  private mutating func number(_ digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<index + digits] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    index += digits
    return value
  }

  /// The milliseconds of a fraction of a second after its point; nil without a digit.
  private mutating func milliseconds() -> Int? {
    var (value, weight, start) = (0, 100, index)
    while let digit = number(1) {
      value += digit * weight
      weight /= 10
    }
    swap(&start, &index)
    defer { index = start }
    return start == index ? nil : value
  }

  mutating func read() -> WrittenTime {
    let digits = bytes.drop { $0 == UInt8(ascii: "-") }.prefix { (0x30...0x39).contains($0) }
    let isSigned = bytes.first == UInt8(ascii: "-")
    if isSigned || digits.endIndex == bytes.count || bytes[digits.endIndex] == UInt8(ascii: ".") {
      return unixSeconds(digits: digits.count, isSigned: isSigned)
    }
    guard let year = number(4), skip("-", ":"), let month = number(2) else { return .invalid }
    guard !isAtEnd else { return (1...12).contains(month) ? .date : .invalid }
    guard skip("-", ":"), let day = number(2),
      let days = CalendarDay.daysSince1970(year: year, month: month, day: day)
    else { return .invalid }
    guard !isAtEnd else { return .date }
    guard skip("T", "t", " "), let clock = clock() else { return .invalid }
    let local = Int64(days) * Timestamp.millisecondsPerDay + clock
    if isAtEnd { return .clock(local) }
    guard let offset = offset(), isAtEnd else { return .invalid }
    return .moment(Timestamp(millisecondsSince1970: local - offset))
  }

  /// Four digits are a year, and eight a date: as Unix seconds they would be days of 1970.
  private mutating func unixSeconds(digits: Int, isSigned: Bool) -> WrittenTime {
    index = isSigned ? 1 : 0
    guard (1...12).contains(digits), let seconds = number(digits) else { return .invalid }
    if isAtEnd, !isSigned, digits == 4 || digits == 8 { return .date }
    var milliseconds = 0
    if !isAtEnd {
      guard skip("."), let fraction = self.milliseconds(), isAtEnd else { return .invalid }
      milliseconds = fraction
    }
    let total = Int64(seconds) * 1_000 + Int64(milliseconds)
    let time = Timestamp(millisecondsSince1970: isSigned ? -total : total)
    return Timestamp.writable.contains(time) ? .moment(time) : .invalid
  }

  /// Hours, minutes, and seconds with a fraction where they are given, in milliseconds.
  private mutating func clock() -> Int64? {
    guard let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else {
      return nil
    }
    var (seconds, milliseconds) = (0, 0)
    if skip(":") {
      guard let value = number(2), value < 60 else { return nil }
      seconds = value
      if skip(".", ",") {
        guard let fraction = self.milliseconds() else { return nil }
        milliseconds = fraction
      }
    }
    return Int64(((hours * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds)
  }

  /// The offset from UTC in milliseconds: `Z`, `+02:00`, `+0200` or `+02`.
  private mutating func offset() -> Int64? {
    if skip("Z", "z") { return 0 }
    let isWest = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    guard skip("+", "-"), let hours = number(2), hours < 24 else { return nil }
    var minutes = 0
    if !isAtEnd {
      _ = skip(":")
      guard let value = number(2), value < 60 else { return nil }
      minutes = value
    }
    return Int64((hours * 60 + minutes) * 60_000) * (isWest ? -1 : 1)
  }
}
