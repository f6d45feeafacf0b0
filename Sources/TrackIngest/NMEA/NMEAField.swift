/// The bytes of one field: `count` initialized bytes at `start`, only valid while the sentence is.
struct NMEAField {
  let start: UnsafePointer<UInt8>
  let count: Int

  @inline(__always) var isEmpty: Bool { count == 0 }

  /// The byte of a field that is one character long; 0 otherwise.
  @inline(__always) var character: UInt8 { count == 1 ? start[0] : 0 }

  /// True if it begins or ends with a blank or a quotation mark.
  @inline(__always) var isPadded: Bool {
    count > 0 && (start[0] <= 0x22 || start[count - 1] <= 0x22)
  }

  /// The field without surrounding blanks and quotation marks.
  @inline(never) var trimmed: NMEAField {
    var (first, end) = (0, count)
    while first < end, start[first] <= 0x22 { first += 1 }
    while end > first, start[end - 1] <= 0x22 { end -= 1 }
    return NMEAField(start: start + first, count: end - first)
  }
}

// MARK: - Angles

/// A latitude or longitude of a sentence.
struct NMEAAngle {
  /// Units of 1e-7 degree, never negative; -1 if the field is not an angle.
  let e7: Int64
  /// True if leading zeros of the degrees are missing.
  let isShort: Bool

  static let none = NMEAAngle(e7: -1, isShort: false)
}

extension NMEAField {
  /// An angle written `dddmm.mmmm`, with as many digits of minutes as there are. Without a digit of
  /// degrees it is none: `48.1173` may be decimal degrees, or the minutes of a short number.
  ///
  /// - Parameter digits: digits before the point in the standard: 4 for latitudes, 5 for
  ///   longitudes.
  /// - Guarantee: the 1e-7 degree nearest to the written number, halves away from zero: minutes
  ///   M/10⁹ are M/6000 units, in integer arithmetic. Digits beyond the ninth after the point
  ///   cannot change the result, since the midpoints M = 6000k + 3000 are integers.
  @inline(__always)
  func angle(digits: Int) -> NMEAAngle {
    var index = 0
    var whole: Int64 = 0
    while index < count {
      let digit = start[index] &- 0x30
      if digit > 9 { break }
      whole = whole &* 10 &+ Int64(digit)
      index += 1
      if index > digits { return .none }
    }
    guard index > 2 else { return .none }
    let wholeDigits = index
    var fraction: Int64 = 0
    var places = 0
    if index < count {
      guard start[index] == UInt8(ascii: ".") else { return .none }
      index += 1
      while index < count {
        let digit = start[index] &- 0x30
        guard digit <= 9 else { return .none }
        if places < 9 {
          fraction = fraction &* 10 &+ Int64(digit)
          places += 1
        }
        index += 1
      }
    }
    let degrees = whole / 100
    let minutes = whole &- degrees &* 100
    guard minutes < 60 else { return .none }
    let nanoMinutes = minutes &* 1_000_000_000 &+ fraction &* Self.powerOfTen(9 &- places)
    return NMEAAngle(
      e7: degrees &* 10_000_000 &+ (nanoMinutes &+ 3_000) / 6_000, isShort: wholeDigits < digits)
  }

  /// 10 to the power of 0...9.
  @inline(__always)
  private static func powerOfTen(_ exponent: Int) -> Int64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    default: 1_000_000_000
    }
  }
}

// MARK: - Times and dates

extension NMEAField {
  /// ``timeOfDay`` of an empty field.
  static let noTime: Int32 = -1
  /// ``timeOfDay`` of a field that is not a time.
  static let notATime: Int32 = -2

  /// Milliseconds since midnight of `hhmmss` or `hhmmss.sss…`, or ``noTime`` or ``notATime``.
  /// 23:59:60 is the leap second; digits beyond the millisecond are ignored.
  @inline(__always)
  var timeOfDay: Int32 {
    guard count >= 6 else { return count == 0 ? Self.noTime : Self.notATime }
    guard let hour = twoDigits(0), let minute = twoDigits(2), let second = twoDigits(4) else {
      return Self.notATime
    }
    guard hour < 24, minute < 60, second < 60 || (second == 60 && minute == 59 && hour == 23) else {
      return Self.notATime
    }
    var milliseconds: Int32 = 0
    if count > 6 {
      guard start[6] == UInt8(ascii: ".") else { return Self.notATime }
      var scale: Int32 = 100
      for index in 7..<max(7, count) {
        let digit = start[index] &- 0x30
        guard digit <= 9 else { return Self.notATime }
        milliseconds &+= Int32(digit) &* scale
        scale /= 10
      }
    }
    return ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000 &+ milliseconds
  }

  /// Day, month and two-digit year of `ddmmyy`; nil if the field is not six digits.
  @inline(__always)
  var dayMonthYear: (day: Int32, month: Int32, year: Int32)? {
    guard count == 6, let day = twoDigits(0), let month = twoDigits(2), let year = twoDigits(4)
    else {
      return nil
    }
    return (day, month, year)
  }

  /// An integer of one to four digits; nil for anything else.
  var smallInteger: Int? {
    guard (1...4).contains(count) else { return nil }
    var value = 0
    for index in 0..<count {
      let digit = start[index] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// The value of two digits at an offset; nil if they are not digits. Callers check that the field
  /// is long enough.
  @inline(__always)
  private func twoDigits(_ offset: Int) -> Int32? {
    let (tens, ones) = (start[offset] &- 0x30, start[offset + 1] &- 0x30)
    guard tens <= 9, ones <= 9 else { return nil }
    return Int32(tens) &* 10 &+ Int32(ones)
  }
}

// MARK: - Numbers

extension NMEAField {
  /// A decimal number with an optional sign; NaN for anything else.
  ///
  /// - Guarantee: correctly rounded up to 15 digits (both the digits and the power of ten are exact
  ///   doubles); numbers of more than 18 digits are NaN.
  @inline(__always)
  var decimal: Double {
    guard count > 0 else { return .nan }
    var index = 0
    let isNegative = start[0] == UInt8(ascii: "-")
    if isNegative || start[0] == UInt8(ascii: "+") { index = 1 }
    guard count - index <= 19 else { return .nan }
    var digits: Int64 = 0
    var digitCount = 0
    var scale = 1.0
    var isFraction = false
    while index < count {
      let byte = start[index]
      let digit = byte &- 0x30
      if digit <= 9 {
        digits = digits &* 10 &+ Int64(digit)
        digitCount += 1
        if isFraction { scale *= 10 }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        return .nan
      }
      index += 1
    }
    guard digitCount > 0, digitCount <= 18 else { return .nan }
    let magnitude = Double(digits) / scale
    return isNegative ? -magnitude : magnitude
  }
}
