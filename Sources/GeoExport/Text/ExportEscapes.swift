/// Texts in the quotes and escapes of JSON, XML and CSV.
extension [UInt8] {
  /// Appends a string of JSON with its quotation marks (RFC 8259, section 7).
  ///
  /// Control characters are escaped, also DEL and those from U+0080 on, which terminals obey.
  package mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    appendPieces(of: text) { byte, rest in
      switch byte {
      case 0x22: (1, .pair(0x5C, 0x22))
      case 0x5C: (1, .pair(0x5C, 0x5C))
      case 0x0A: (1, .pair(0x5C, UInt8(ascii: "n")))
      case 0x0D: (1, .pair(0x5C, UInt8(ascii: "r")))
      case 0x09: (1, .pair(0x5C, UInt8(ascii: "t")))
      case ..<0x20, 0x7F: (1, .unicode(byte))
      // U+0080...U+009F are C2 80...C2 9F.
      case 0xC2 where rest.count > 1 && rest[1] < 0xA0: (2, .unicode(rest[1]))
      default: nil
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends text of an XML 1.0 document, also of an attribute in quotation marks.
  ///
  /// Characters that XML 1.0 forbids (2.2: control characters except tab, line feed and carriage
  /// return, and U+FFFE and U+FFFF) are left out. Parsers change line ends and, in attributes,
  /// tabs; so these are written as references (2.11, 3.3.3).
  package mutating func appendXML(_ text: String) {
    appendPieces(of: text) { byte, rest in
      switch byte {
      case UInt8(ascii: "&"): (1, .text("&amp;"))
      case UInt8(ascii: "<"): (1, .text("&lt;"))
      case UInt8(ascii: ">"): (1, .text("&gt;"))
      case 0x22: (1, .text("&quot;"))
      case 0x09: (1, .text("&#9;"))
      case 0x0A: (1, .text("&#10;"))
      case 0x0D: (1, .text("&#13;"))
      case ..<0x20: (1, .text(""))
      case 0xEF where rest.count > 2 && rest[1] == 0xBF && rest[2] >= 0xBE: (3, .text(""))
      default: nil
      }
    }
  }

  /// Appends a field of CSV: in quotation marks if it is empty or has a comma, a quotation mark, a
  /// line end, or a blank at an end (RFC 4180, 2.5 to 2.7). A missing value has no quotation marks,
  /// so that it differs from an empty text.
  package mutating func appendCSV(_ text: String) {
    let needsQuotes =
      text.isEmpty || text.utf8.first == 0x20 || text.utf8.last == 0x20
      || text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return append(contentsOf: text.utf8) }
    append(0x22)
    appendPieces(of: text) { byte, _ in byte == 0x22 ? (1, .pair(0x22, 0x22)) : nil }
    append(0x22)
  }

  /// What is written instead of a character.
  private enum Escape {
    case pair(UInt8, UInt8)
    case text(StaticString)
    /// `\u` and four digits.
    case unicode(UInt8)
  }

  /// Appends a text in which some characters are replaced.
  ///
  /// - Parameter escape: returns for the first of some bytes what replaces it and how many bytes
  ///   that takes; nil to keep the byte.
  @inline(__always)
  private mutating func appendPieces(
    of text: String, escape: (UInt8, UnsafeBufferPointer<UInt8>) -> (Int, Escape)?
  ) {
    var text = text
    // Sound: the bytes are used during the call only, and every index is compared with their count.
    text.withUTF8 { bytes in
      var (kept, at) = (0, 0)
      while at < bytes.count {
        let rest = UnsafeBufferPointer(rebasing: bytes[at...])
        guard let (count, replacement) = escape(bytes[at], rest) else {
          at += 1
          continue
        }
        append(contentsOf: bytes[kept..<at])
        append(replacement)
        at += count
        kept = at
      }
      append(contentsOf: bytes[kept...])
    }
  }

  private mutating func append(_ escape: Escape) {
    switch escape {
    case .pair(let first, let second):
      append(first)
      append(second)
    case .text(let text): text.withUTF8Buffer { append(contentsOf: $0) }
    case .unicode(let byte):
      append(contentsOf: Array("\\u00".utf8))
      for digit in [byte >> 4, byte & 15] { append(digit < 10 ? 48 + digit : 87 + digit) }
    }
  }
}
