/// Skips a document type declaration with its internal subset, without reading what it declares.
struct XMLDocumentTypeSkipper {
  private var quote: UInt8 = 0
  private var isInSubset = false
  /// True if there was an internal subset, which may declare entities.
  private(set) var hasSubset = false
  private var isInComment = false
  private var isInInstruction = false
  private var last: UInt32 = 0

  /// Takes one byte; true at the `>` that ends the declaration.
  mutating func take(_ byte: UInt8) -> Bool {
    last = last << 8 | UInt32(byte)
    if isInComment {
      // 0x2D2D3E is `-->`.
      if last & 0xFF_FFFF == 0x2D2D3E { isInComment = false }
    } else if isInInstruction {
      // 0x3F3E is `?>`.
      if last & 0xFFFF == 0x3F3E { isInInstruction = false }
    } else if quote != 0 {
      if byte == quote { quote = 0 }
    } else if last == 0x3C21_2D2D {
      // `<!--`; its dashes do not count for the end.
      isInComment = true
      last = 0
    } else if last & 0xFFFF == 0x3C3F {
      // `<?`; its question mark does not count for the end.
      isInInstruction = true
      last = 0
    } else {
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x5B:
        isInSubset = true
        hasSubset = true
      case 0x5D: isInSubset = false
      case 0x3E: return !isInSubset
      default: break
      }
    }
    return false
  }
}
