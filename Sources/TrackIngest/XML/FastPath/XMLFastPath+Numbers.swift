/// Decimal numbers.
///
/// Sound: every position is checked as the type's *Bounds* says.
extension XMLFastPath {
  /// A plain decimal of degrees, rounded half away from zero to 1e-7; nil if it is anything else or
  /// not below the limit. Moves `at` after the last digit.
  @inline(__always)
  static func degreesE7(_ at: inout Position, _ limit: Position, limitE7: UInt64) -> Int32? {
    guard at <= limit else { return nil }
    let start = at
    let isNegative = at.pointee == 0x2D
    if isNegative { at += 1 }
    let (whole, wholeCount) = digits(at)
    guard wholeCount >= 1, wholeCount <= 3 else { return nil }
    at += wholeCount
    var magnitude = whole &* 10_000_000
    if at.pointee == 0x2E {
      at += 1
      let (fraction, count) = digits(at)
      at += count
      if count == 8 {
        // The eighth digit alone decides: 5 or more rounds up.
        magnitude &+= (fraction &+ 5) / 10
        guard skipDigits(&at, limit), at - start <= XMLLimits.valueBytes else { return nil }
      } else {
        guard count > 0 else { return nil }
        magnitude &+= fraction &* power(7 - count)
      }
    }
    guard magnitude < limitE7 else { return nil }
    let value = Int32(truncatingIfNeeded: magnitude)
    return isNegative ? -value : value
  }

  /// A number; nil if the text is not one. Moves `at` to the `<` after it, or to where it gave up.
  @inline(__always)
  static func number(_ at: inout Position, _ limit: Position) -> Double? {
    guard at <= limit else { return nil }
    let start = at
    let isNegative = at.pointee == 0x2D
    if isNegative { at += 1 }
    let (whole, wholeCount) = digits(at)
    if wholeCount >= 1 {
      let point = at + wholeCount
      if point.pointee == 0x3C {
        at = point
        return isNegative ? -Double(whole) : Double(whole)
      }
      if point.pointee == 0x2E {
        let (fraction, count) = digits(point + 1)
        var end = point + 1 + count
        let scale = power(count)
        var mantissa = whole &* scale &+ fraction
        if end.pointee == 0x3C {
          at = end
          let value = Double(mantissa) / Double(scale)
          return isNegative ? -value : value
        }
        // As on the exact path, 18 significant digits count; further ones are skipped.
        var exponent = count
        while end <= limit, end - start <= XMLLimits.valueBytes {
          let digit = end.pointee &- 0x30
          guard digit < 10 else { break }
          if mantissa < 100_000_000_000_000_000 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            exponent &+= 1
          }
          end += 1
        }
        if end <= limit, end.pointee == 0x3C, end - start <= XMLLimits.valueBytes, exponent <= 19 {
          at = end
          let value = Double(mantissa) / DecimalText.tenTo(exponent)
          return isNegative ? -value : value
        }
      }
    }
    // Longer, with white space or an exponent, or not a number.
    guard let end = textEnd(start, limit), end - start <= XMLLimits.valueBytes else { return nil }
    at = end
    return DecimalText.double(UnsafeBufferPointer(start: start, count: end - start))
  }

  /// A plain decimal of at most 18 digits; nil if it is anything else. Moves `at` after the last
  /// digit.
  @inline(__always)
  static func decimal(_ at: inout Position, _ limit: Position) -> Double? {
    guard at <= limit else { return nil }
    let isNegative = at.pointee == 0x2D
    if isNegative { at += 1 }
    let (whole, wholeCount) = digits(at)
    guard wholeCount >= 1 else { return nil }
    at += wholeCount
    var mantissa = whole
    var places = 0
    if at.pointee == 0x2E {
      let (fraction, count) = digits(at + 1)
      guard count > 0 else { return nil }
      at += count + 1
      mantissa = whole &* power(count) &+ fraction
      places = count
      if count == 8 {
        let (rest, more) = digits(at)
        guard wholeCount + 8 + more <= 18 else { return nil }
        at += more
        mantissa = mantissa &* power(more) &+ rest
        places += more
      }
    }
    guard at.pointee &- 0x30 >= 10 else { return nil }
    let value = Double(mantissa) / DecimalText.tenTo(places)
    return isNegative ? -value : value
  }

  /// Skips digits; false if the limit comes first.
  @inline(__always)
  private static func skipDigits(_ at: inout Position, _ limit: Position) -> Bool {
    while at <= limit {
      guard at.pointee &- 0x30 < 10 else { return true }
      at += 1
    }
    return false
  }

  /// 10^`count` for 0...8.
  @inline(__always)
  private static func power(_ count: Int) -> UInt64 {
    switch count {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: 100_000_000
    }
  }

  /// The value of the digits at `at`, up to eight of them, and their count.
  @inline(__always)
  static func digits(_ at: Position) -> (value: UInt64, count: Int) {
    let bytes = load(at) ^ 0x3030_3030_3030_3030
    // A byte above 9 gets its high bit: 0x0A + 0x76 = 0x80.
    let others = ((bytes & lowBits) &+ 0x7676_7676_7676_7676 | bytes) & highBits
    let count = others.trailingZeroBitCount / 8
    guard count > 0 else { return (0, 0) }
    // Fewer than eight digits get leading zeros.
    return (joined(bytes << UInt64(64 &- 8 &* count)), count)
  }

  /// The value of eight digits (as 0...9), by joining pairs, fours and all eight.
  @inline(__always)
  private static func joined(_ digits: UInt64) -> UInt64 {
    var value = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ (value >> 16)) & 0x0000_FFFF_0000_FFFF
    value = (value &* 10_000 &+ (value >> 32)) & 0xFFFF_FFFF
    return value
  }
}
