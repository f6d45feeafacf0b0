/// Searches in bytes, eight at a time.
///
/// Sound: eight bytes are read only where eight lie before `end`; each single byte is read only
/// after its position is compared with `end`.
enum JSONWords {
  typealias Position = UnsafePointer<UInt8>

  /// A word with `byte` in each of its bytes.
  @inline(__always)
  private static func all(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

  @inline(__always)
  private static func load(_ at: Position) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
  }

  /// The lowest high bit that is set is that of the first byte that equals zero; higher ones mean
  /// nothing.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- all(0x01)) & ~word & all(0x80)
  }

  /// The first quotation mark or backslash, or `end`.
  @inline(__always)
  static func findStringEnd(_ start: Position, _ end: Position) -> Position {
    var at = start
    while end - at >= 8 {
      let word = load(at)
      let found = zeros(word ^ all(0x22)) | zeros(word ^ all(0x5C))
      if found != 0 { return at + found.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < end, at.pointee != 0x22, at.pointee != 0x5C { at += 1 }
    return at
  }

  /// The first quotation mark, bracket or brace, or a byte that looks like one, or `end`.
  @inline(__always)
  static func findBracketOrQuote(_ start: Position, _ end: Position) -> Position {
    var at = start
    while end - at >= 8 {
      let word = load(at)
      // With these bits set, `[`, `]`, `{` and `}` become 0x7F, and so do `Y`, `_`, `y` and DEL.
      let found = zeros(word ^ all(0x22)) | zeros((word | all(0x26)) ^ all(0x7F))
      if found != 0 { return at + found.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < end, at.pointee != 0x22, at.pointee | 0x26 != 0x7F { at += 1 }
    return at
  }

  /// The first `byte`, or `end`.
  @inline(__always)
  static func find(_ byte: UInt8, _ start: Position, _ end: Position) -> Position {
    var at = start
    while end - at >= 8 {
      let found = zeros(load(at) ^ all(UInt64(byte)))
      if found != 0 { return at + found.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < end, at.pointee != byte { at += 1 }
    return at
  }

  /// The first byte that is neither a blank nor the end of a line, or `end`.
  @inline(__always)
  static func skipBlanks(_ start: Position, _ end: Position) -> Position {
    var at = start
    while end - at >= 8, load(at) == all(0x20) { at += 8 }
    while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
    return at
  }

  /// True if the byte ends a number or a word.
  @inline(__always)
  static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x2C || byte == 0x3A || byte == 0x22 || byte | 0x20 == 0x7B
      || byte | 0x20 == 0x7D
  }
}
