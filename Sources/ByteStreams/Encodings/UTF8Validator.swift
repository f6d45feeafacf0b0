/// Checks UTF-8 byte by byte: no overlong forms, no surrogates, nothing beyond U+10FFFF.
///
/// - Source: The Unicode Standard 16.0, table 3-7.
package struct UTF8Validator {
  /// The number of bytes that the current character still needs.
  private var missing = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Creates a validator at the start of a text.
  package init() {}

  /// True if a character is incomplete.
  package var isPending: Bool { missing > 0 }

  /// Checks the next byte. Returns false if it is invalid after those before it; the next byte then
  /// begins a character.
  package mutating func take(_ byte: UInt8) -> Bool {
    if missing > 0 {
      let isValid = byte >= lowest && byte <= highest
      (lowest, highest) = (0x80, 0xBF)
      missing = isValid ? missing - 1 : 0
      return isValid
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, lowest) = (2, 0xA0)
    case 0xED: (missing, highest) = (2, 0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, lowest) = (3, 0x90)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, highest) = (3, 0x8F)
    default: return false
    }
    return true
  }
}
