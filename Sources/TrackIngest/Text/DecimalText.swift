/// Reads decimal numbers from bytes without `String` and without rounding twice.
///
/// The grammar is that of hand-written XML: surrounding white space, a sign, digits, a point and
/// digits, an exponent. Nothing else is a number: no hexadecimal, no unit, no thousands separator.
/// A single decimal comma is reported, so that the caller can accept it with a warning.
enum DecimalText {
  /// A coordinate read as an integer of 1e-7 degree.
  enum Degrees: Equatable {
    /// Within the limit, rounded half away from zero to 1e-7 degree, from all the digits.
    case value(Int32)
    /// The same, written with a decimal comma.
    case commaValue(Int32)
    /// Not a number.
    case notANumber
    /// A number beyond the limit, or infinite.
    case outOfRange
  }

  /// The digits of a number: `mantissa` × 10^`exponent`, and whether digits other than 0 were cut
  /// off below it.
  struct Parts {
    var isNegative = false
    var mantissa: UInt64 = 0
    var exponent = 0
    var isInexact = false
    var hasComma = false
  }

  /// 10^0 … 10^19: every power of ten that fits in 64 bits.
  static let powersOfTen: [UInt64] = {
    var powers: [UInt64] = [1]
    for _ in 1...19 { powers.append((powers.last ?? 1) &* 10) }
    return powers
  }()

  /// Reads degrees, exactly: integers only, round half away from zero. `limitE7` is 90e7 or 180e7,
  /// included.
  ///
  /// - Complexity: O(length).
  static func degreesE7(_ text: UnsafeBufferPointer<UInt8>, limitE7: Int64) -> Degrees {
    guard let parts = parts(of: text) else { return isInfinity(text) ? .outOfRange : .notANumber }
    guard let scaled = scaledE7(parts, limitE7: limitE7) else { return .outOfRange }
    let value = Int32(truncatingIfNeeded: parts.isNegative ? -scaled : scaled)
    return parts.hasComma ? .commaValue(value) : .value(value)
  }

  /// The magnitude in units of 1e-7, or nil beyond the limit.
  private static func scaledE7(_ parts: Parts, limitE7: Int64) -> Int64? {
    if parts.mantissa == 0 { return 0 }
    let limit = UInt64(limitE7)
    let shift = parts.exponent + 7
    if shift >= 0 {
      // More than 10 places up is beyond 180e7 = 1.8e9 for every mantissa from 1.
      guard shift <= 10 else { return nil }
      let (product, overflow) = parts.mantissa.multipliedReportingOverflow(by: powersOfTen[shift])
      guard !overflow, product < limit || (product == limit && !parts.isInexact) else { return nil }
      return Int64(product)
    }
    // The mantissa has at most 18 digits, so 19 places down leave less than half a unit.
    guard shift >= -18 else { return 0 }
    let divisor = powersOfTen[-shift]
    let (quotient, remainder) = parts.mantissa.quotientAndRemainder(dividingBy: divisor)
    let isAbove = remainder != 0 || parts.isInexact
    guard quotient < limit || (quotient == limit && !isAbove) else { return nil }
    // A cut tail is below one unit of the remainder and the divisor is even: it cannot reach the
    // half.
    return Int64(quotient) + (remainder >= divisor / 2 ? 1 : 0)
  }

  /// Reads a number as `Double`: nil if it is not a number (NaN too); infinity if the text says so.
  ///
  /// - Guarantee: the first 18 significant digits are used; within 2 units in the last place.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let parts = parts(of: text) else {
      guard isInfinity(text) else { return nil }
      return text.contains(0x2D) ? -.infinity : .infinity
    }
    return double(parts)
  }

  /// The value of the digits: correctly rounded where the mantissa is below 2^53 and the exponent
  /// within ±22.
  static func double(_ parts: Parts) -> Double {
    var magnitude = Double(parts.mantissa)
    if parts.exponent < 0 {
      var left = -parts.exponent
      while left > 0, magnitude != 0 {
        magnitude /= tenTo(min(left, 22))
        left -= 22
      }
    } else {
      var left = parts.exponent
      while left > 0, magnitude != 0, magnitude.isFinite {
        magnitude *= tenTo(min(left, 22))
        left -= 22
      }
    }
    return parts.isNegative ? -magnitude : magnitude
  }

  /// 10^`power` as an exact `Double`, for 0...22.
  @inline(__always)
  static func tenTo(_ power: Int) -> Double {
    power <= 19
      ? Double(powersOfTen[power]) : Double(powersOfTen[19]) * Double(powersOfTen[power - 19])
  }

  /// Splits a number into its parts, or nil if the text is not a number.
  ///
  /// Sound: every index is compared with `end`, at most the count; the text is used only during the
  /// call.
  static func parts(of text: UnsafeBufferPointer<UInt8>) -> Parts? {
    var index = 0
    var end = text.count
    while index < end, isSpace(text[index]) { index += 1 }
    while end > index, isSpace(text[end - 1]) { end -= 1 }
    var parts = Parts()
    if index < end, text[index] == 0x2B || text[index] == 0x2D {
      parts.isNegative = text[index] == 0x2D
      index += 1
    }
    var digits = 0
    var isFraction = false
    scan: while index < end {
      let byte = text[index]
      switch byte {
      case 0x30...0x39:
        digits += 1
        add(UInt64(byte &- 0x30), isFraction: isFraction, to: &parts)
      case 0x2E where !isFraction: isFraction = true
      case 0x2C where !isFraction && digits > 0:
        isFraction = true
        parts.hasComma = true
      default: break scan
      }
      index += 1
    }
    guard digits > 0, !(parts.hasComma && text[index - 1] == 0x2C) else { return nil }
    if index < end, text[index] | 0x20 == 0x65 {
      guard let power = exponent(text, from: index + 1, to: end) else { return nil }
      parts.exponent += power
      return parts
    }
    return index == end ? parts : nil
  }

  /// Appends one digit; past 18 significant digits it only moves the exponent.
  @inline(__always)
  private static func add(_ digit: UInt64, isFraction: Bool, to parts: inout Parts) {
    if parts.mantissa < 100_000_000_000_000_000 {
      parts.mantissa = parts.mantissa &* 10 &+ digit
      if isFraction { parts.exponent -= 1 }
    } else {
      if digit != 0 { parts.isInexact = true }
      if !isFraction { parts.exponent += 1 }
    }
  }

  /// The signed integer after `e`, held within ±9999.
  ///
  /// Sound: every index is compared with `end`, at most the count of the text.
  private static func exponent(_ text: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int)
    -> Int?
  {
    var index = start
    var isNegative = false
    if index < end, text[index] == 0x2B || text[index] == 0x2D {
      isNegative = text[index] == 0x2D
      index += 1
    }
    guard index < end else { return nil }
    var value = 0
    while index < end {
      guard (0x30...0x39).contains(text[index]) else { return nil }
      value = min(9999, value * 10 + Int(text[index] - 0x30))
      index += 1
    }
    return isNegative ? -value : value
  }

  /// Returns true if the text is `inf` or `infinity` in any case, with white space and a sign.
  private static func isInfinity(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var letters = text[...]
    while let first = letters.first, isSpace(first) { letters = letters.dropFirst() }
    while let last = letters.last, isSpace(last) { letters = letters.dropLast() }
    if let first = letters.first, first == 0x2B || first == 0x2D { letters = letters.dropFirst() }
    let lower = letters.lazy.map { $0 | 0x20 }
    return lower.elementsEqual("inf".utf8) || lower.elementsEqual("infinity".utf8)
  }

  /// XML white space: space, tab, line feed, carriage return.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
