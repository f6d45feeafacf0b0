/// Numbers, times and runs of bytes, eight at a time.
extension GPXFastPath {
  // MARK: - Values

  /// A plain decimal of degrees, rounded half away from zero to 1e-7; nil where it is anything else or not below
  /// the limit. Leaves `at` behind the last digit.
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
        // The eighth digit alone decides: 5 and more is half or above.
        magnitude &+= (fraction &+ 5) / 10
        guard skipDigits(&at, limit), at - start <= GPXDecoder.valueLimit else { return nil }
      } else {
        guard count > 0 else { return nil }
        magnitude &+= fraction &* power(7 - count)
      }
    }
    guard magnitude < limitE7 else { return nil }
    let value = Int32(truncatingIfNeeded: magnitude)
    return isNegative ? -value : value
  }

  /// A number: nil where the text is none. Leaves `at` at the `<` that ends it, or where it gave up.
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
        // As the exact path: 18 significant digits count, those after them are passed over.
        var exponent = count
        while end <= limit, end - start <= GPXDecoder.valueLimit {
          let digit = end.pointee &- 0x30
          guard digit < 10 else { break }
          if mantissa < 100_000_000_000_000_000 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            exponent &+= 1
          }
          end += 1
        }
        if end <= limit, end.pointee == 0x3C, end - start <= GPXDecoder.valueLimit, exponent <= 19 {
          at = end
          let value = Double(mantissa) / DecimalText.tenTo(exponent)
          return isNegative ? -value : value
        }
      }
    }
    // Longer, or with white space or an exponent, or no number.
    guard let end = textEnd(start, limit), end - start <= GPXDecoder.valueLimit else { return nil }
    at = end
    return DecimalText.double(UnsafeBufferPointer(start: start, count: end - start))
  }

  /// The time at `start` and the position after its end tag; nil where it is not certainly a moment.
  @inline(__always)
  static func time(_ start: Position, _ limit: Position, _ dates: inout DateCache) -> (
    Position, Int64
  )? {
    guard start <= limit else { return nil }
    let yearAndMonth = load(start)
    let day = UInt16(start[8]) | UInt16(start[9]) << 8
    // HH:MM:SS minus 00:00:00: digits 0...9, colons 0.
    let clock = load(start + 11) ^ 0x3030_3A30_303A_3030
    let isClock = ((clock & lowBits) &+ 0x7676_7F76_767F_7676 | clock) & highBits == 0
    guard isClock, start[10] == 0x54 else { return anyTime(start, limit) }
    if yearAndMonth != dates.yearAndMonth || day != dates.day {
      guard let midnight = midnight(start) else { return anyTime(start, limit) }
      dates = DateCache(yearAndMonth: yearAndMonth, day: day, midnight: midnight)
    }
    let hour = (clock & 0xFF) &* 10 &+ (clock >> 8 & 0xFF)
    let minute = (clock >> 24 & 0xFF) &* 10 &+ (clock >> 32 & 0xFF)
    let second = (clock >> 48 & 0xFF) &* 10 &+ (clock >> 56)
    guard hour < 24, minute < 60, second < 60 else { return anyTime(start, limit) }
    var time = dates.midnight &+ Int64(bitPattern: ((hour &* 60 &+ minute) &* 60 &+ second) &* 1000)
    let tail = start + 19
    if load(tail) == zuluTimeEnd { return (tail + 8, time) }
    guard tail.pointee == 0x2E, load(tail + 4) == zuluTimeEnd else { return anyTime(start, limit) }
    let (tenths, hundredths, thousandths) = (tail[1] &- 0x30, tail[2] &- 0x30, tail[3] &- 0x30)
    guard tenths < 10, hundredths < 10, thousandths < 10 else { return nil }
    time &+= Int64(tenths) &* 100 &+ Int64(hundredths) &* 10 &+ Int64(thousandths)
    return (tail + 12, time)
  }

  /// Midnight of a date written `YYYY-MM-DD`.
  private static func midnight(_ start: Position) -> Int64? {
    let date = UnsafeBufferPointer(start: start, count: 10)
    let isPlain = date.enumerated().allSatisfy { index, byte in
      index == 4 || index == 7 ? byte == 0x2D : (0x30...0x39).contains(byte)
    }
    guard isPlain, case .day(let midnight) = TimeText.read(date) else { return nil }
    return midnight
  }

  /// A time in any other form.
  private static func anyTime(_ start: Position, _ limit: Position) -> (Position, Int64)? {
    guard let end = textEnd(start, limit), end - start <= GPXDecoder.valueLimit,
      load(end) & sevenBytes == timeEnd,
      case .moment(let time) = TimeText.read(UnsafeBufferPointer(start: start, count: end - start))
    else { return nil }
    return (end + 7, time)
  }

  // MARK: - Eight bytes at a time

  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
  private static var lowBits: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  /// Eight bytes, the first in the lowest place.
  @inline(__always)
  static func load(_ at: Position) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
  }

  /// The number that the digits at `at` make, up to eight of them, and how many there are.
  @inline(__always)
  static func digits(_ at: Position) -> (value: UInt64, count: Int) {
    let bytes = load(at) ^ 0x3030_3030_3030_3030
    // A byte above 9 gets its high bit: 0x0A + 0x76 = 0x80.
    let others = ((bytes & lowBits) &+ 0x7676_7676_7676_7676 | bytes) & highBits
    let count = others.trailingZeroBitCount / 8
    guard count > 0 else { return (0, 0) }
    // Zeros in front of fewer than eight digits.
    return (joined(bytes << UInt64(64 &- 8 &* count)), count)
  }

  /// The number that eight digits (as 0...9) make: pairs, fours and all eight are joined.
  @inline(__always)
  private static func joined(_ digits: UInt64) -> UInt64 {
    var value = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ (value >> 16)) & 0x0000_FFFF_0000_FFFF
    value = (value &* 10_000 &+ (value >> 32)) & 0xFFFF_FFFF
    return value
  }

  /// How many of the eight bytes at `at` are plain text before one that is not, and whether that one is `<`.
  /// Plain is 0x20...0x7E without `&` and `<`.
  @inline(__always)
  static func plainRun(_ at: Position) -> (count: Int, isEnd: Bool) {
    let bytes = load(at)
    let low = bytes & lowBits
    // The high bit of a byte is set where it is `<` or `&`; zero is what is left of it by exclusive or.
    let less = ~(((low ^ 0x3C3C_3C3C_3C3C_3C3C) &+ lowBits) | bytes) & highBits
    let ampersand = ~(((low ^ 0x2626_2626_2626_2626) &+ lowBits) | bytes) & highBits
    // Below 0x20 nothing carries into the high bit; 0x7F does with one more; above, it is set already.
    let other = (~(low &+ 0x6060_6060_6060_6060) | (low &+ 0x0101_0101_0101_0101) | bytes) & highBits
    let stop = less | ampersand | other
    let count = stop.trailingZeroBitCount / 8
    return (count, count < 8 && less >> UInt64(8 &* count) & 0x80 != 0)
  }

  /// Passes over digits; false where the limit came first.
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

  /// Passes over white space, eight blanks at a time where there are many.
  @inline(__always)
  static func skipSpaces(_ start: Position, _ limit: Position) -> Position {
    var at = start
    while at <= limit {
      if at.pointee == 0x20, load(at) == 0x2020_2020_2020_2020 {
        at += 8
      } else if isSpace(at.pointee) {
        at += 1
      } else {
        break
      }
    }
    return at
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { DecimalText.isSpace(byte) }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (lower >= 0x61 && lower <= 0x7A) || byte == 0x5F
  }

  /// Whether the byte is an ASCII letter or digit or one of `-._:`.
  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    // One bit for each byte from 0x00 and from 0x40.
    let set: UInt64 = byte < 0x40 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return byte < 0x80 && set >> UInt64(byte & 63) & 1 != 0
  }
}
