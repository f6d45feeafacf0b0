/// Numbers as decimal text in ASCII.
extension [UInt8] {
  /// Appends a whole number.
  package mutating func appendInteger(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDigits(value.magnitude)
  }

  /// Appends degrees with as few digits as show them to 1e-9 degree (0.1 mm), without an exponent.
  ///
  /// - Guarantee: at most 5.001e-10 from the value. A multiple of 1e-9, and so of 1e-7, that is
  ///   given as the nearest `Double` is exact: up to 180, the product with 1e9 is within 4e-5 of
  ///   the true one.
  /// - Precondition: the magnitude is at most 180.
  package mutating func appendDegrees(_ value: Double) {
    let scaled = Int64((value * 1e9).rounded())
    appendDecimal(scaled, fraction: 9)
  }

  /// Appends a number with the fewest digits that read back as the same `Double`. Whole numbers
  /// have no decimal point; very large and very small ones have an exponent.
  ///
  /// - Precondition: the number is finite.
  package mutating func appendNumber(_ value: Double) {
    // Two texts of at most 15 digits never read as one number, so no text is shorter than this one.
    let hundredths = (value * 100).rounded()
    if abs(hundredths) < 1e15, hundredths / 100 == value, value.sign == .plus || value < 0 {
      appendDecimal(Int64(hundredths), fraction: 2)
    } else {
      let text = value.description
      append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }
  }

  /// Appends `value` / 10^`places` without zeros at the end of the fraction.
  private mutating func appendDecimal(_ value: Int64, fraction places: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var divisor: UInt64 = 1
    for _ in 0..<places { divisor *= 10 }
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: divisor)
    appendDigits(whole)
    guard rest != 0 else { return }
    var (fraction, count) = (rest, places)
    while fraction % 100 == 0 { (fraction, count) = (fraction / 100, count - 2) }
    if fraction % 10 == 0 { (fraction, count) = (fraction / 10, count - 1) }
    append(UInt8(ascii: "."))
    appendDigits(fraction, atLeast: count)
  }

  /// Appends a number with zeros in front up to a number of digits.
  private mutating func appendDigits(_ value: UInt64, atLeast least: Int = 1) {
    appendASCII(capacity: 20) { digits in
      var (rest, start) = (value, 20)
      while rest != 0 || 20 - start < least {
        start -= 1
        digits[start] = UInt8(truncatingIfNeeded: 48 + rest % 10)
        rest /= 10
      }
      return start..<20
    }
  }

  /// Appends bytes that `body` writes into room for `capacity` bytes; it returns their range.
  mutating func appendASCII(
    capacity: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Range<Int>
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { room in
      // Sound: the room lives during the call, and `body` has written the range that it returns.
      append(contentsOf: UnsafeBufferPointer(rebasing: room[body(room)]))
    }
  }
}
