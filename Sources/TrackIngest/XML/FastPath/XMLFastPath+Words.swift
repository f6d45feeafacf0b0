/// Runs of bytes, eight at a time.
///
/// Sound: every position is checked as the type's *Bounds* says.
extension XMLFastPath {
  static var highBits: UInt64 { 0x8080_8080_8080_8080 }
  static var lowBits: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  /// Eight bytes, the first in the lowest place. Callers have checked that the bytes lie in the
  /// memory: see the type's *Bounds*.
  @inline(__always)
  static func load(_ at: Position) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
  }

  /// The count of plain bytes among the eight at `at` before another one, and whether that one is
  /// `<`. Plain is 0x20...0x7E without `&` and `<`.
  @inline(__always)
  static func plainRun(_ at: Position) -> (count: Int, isEnd: Bool) {
    let bytes = load(at)
    let low = bytes & lowBits
    // Sets the high bit of each byte that is `<` or `&`, for which the exclusive or is zero.
    let less = ~(((low ^ 0x3C3C_3C3C_3C3C_3C3C) &+ lowBits) | bytes) & highBits
    let ampersand = ~(((low ^ 0x2626_2626_2626_2626) &+ lowBits) | bytes) & highBits
    // Sets the high bit of each byte below 0x20, of 0x7F and of those above.
    let other =
      (~(low &+ 0x6060_6060_6060_6060) | (low &+ 0x0101_0101_0101_0101) | bytes) & highBits
    let stop = less | ampersand | other
    let count = stop.trailingZeroBitCount / 8
    return (count, count < 8 && less >> UInt64(8 &* count) & 0x80 != 0)
  }

  /// Skips white space, eight blanks at a time.
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

  /// Returns true if the byte is an ASCII letter or digit or one of `-._:`.
  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    // One bit for each byte from 0x00 or from 0x40.
    let set: UInt64 = byte < 0x40 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return byte < 0x80 && set >> UInt64(byte & 63) & 1 != 0
  }
}
