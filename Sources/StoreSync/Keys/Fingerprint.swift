/// The text of a folder's fingerprint.
///
/// - Source: D. Crockford, "Base 32".
package enum Fingerprint {
  /// The number of bytes.
  static let byteCount = 10
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// The bytes in groups of four digits.
  ///
  /// - Precondition: their number is a multiple of 5.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var (text, bits, count) = ("", UInt32(0), UInt32(0))
    var written = 0
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 5 {
        count -= 5
        if written > 0, written % 4 == 0 { text.append("-") }
        text.append(digits[Int(bits >> count & 31)])
        written += 1
      }
    }
    precondition(count == 0, "whole digits")
    return text
  }

  /// Whether a person typed this fingerprint: in upper or lower case, with or without hyphens and
  /// spaces, with the letters that look like digits instead of those.
  package static func matches(_ typed: String, _ fingerprint: String) -> Bool {
    normalized(typed) == normalized(fingerprint)
  }

  private static func normalized(_ text: String) -> String {
    String(
      text.uppercased().compactMap { character in
        switch character {
        case "-", " ": nil
        case "O": "0"
        case "I", "L": "1"
        default: character
        }
      })
  }
}
