/// Bytes of a generated file.
struct TextBuilder {
  var bytes: [UInt8] = []

  mutating func append(_ text: StaticString) {
    // Sound: the bytes of a string literal have an address and live as long as the program.
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(digit: Int) { bytes.append(UInt8(48 + digit)) }

  /// Appends a number that is not negative, with leading zeros.
  mutating func append(_ value: Int, width: Int = 1) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while value / divisor >= 10 { divisor *= 10 }
    var rest = value
    while divisor > 0 {
      append(digit: rest / divisor)
      rest %= divisor
      divisor /= 10
    }
  }

  /// Appends `value` divided by 10 to the power of `places`.
  mutating func append(_ value: Int, places: Int) {
    if value < 0 { append("-") }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    append(abs(value) / scale)
    append(".")
    append(abs(value) % scale, width: places)
  }

  /// Year, month and day of a number of seconds since 1970.
  ///
  /// Does not use Roqua's own algorithm, so that an error in it is detected.
  ///
  /// - Source: Hinnant, "chrono-compatible low-level date algorithms".
  static func date(ofSeconds seconds: Int) -> (year: Int, month: Int, day: Int) {
    let days = seconds / 86_400 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  /// Appends a time like `2024-05-01T10:00:00`.
  mutating func append(timeOfSeconds seconds: Int) {
    let (year, month, day) = Self.date(ofSeconds: seconds)
    append(year, width: 4)
    append("-")
    append(month, width: 2)
    append("-")
    append(day, width: 2)
    append("T")
    append(seconds / 3_600 % 24, width: 2)
    append(":")
    append(seconds / 60 % 60, width: 2)
    append(":")
    append(seconds % 60, width: 2)
  }
}
