/// How names are compared: without case, accents, apostrophes and other punctuation, so that
/// `istanbul`, `İstanbul` and `ISTANBUL` are one name, and `Łódź` is `lodz`.
///
/// Letters that have a spelling without accents of their own can be spelled out: `ä` is `a`, and
/// spelled out `ae`.
enum NameFolding {
  /// The folded name in UTF-8: lowercase letters and digits, words separated by one space.
  static func fold(_ name: some StringProtocol, spellingOut: Bool = false) -> [UInt8] {
    var folded: [UInt8] = []
    var separates = false
    for scalar in name.unicodeScalars {
      switch kind(of: scalar) {
      case .dropped: continue
      case .separator: separates = !folded.isEmpty
      case .letter:
        if separates { folded.append(space) }
        separates = false
        append(scalar, to: &folded, spellingOut: spellingOut)
      }
    }
    return folded
  }

  /// Whether an ASCII byte is a letter or a digit, and which in lowercase; 0 for an apostrophe,
  /// ``space`` for what separates words.
  @inline(__always)
  static func fold(ascii byte: UInt8) -> UInt8 {
    switch byte {
    case 0x61...0x7A, 0x30...0x39: byte
    case 0x41...0x5A: byte | 0x20
    case UInt8(ascii: "'"), UInt8(ascii: "`"): 0
    default: space
    }
  }

  static let space = UInt8(ascii: " ")

  private enum ScalarKind { case letter, separator, dropped }

  private static func kind(of scalar: Unicode.Scalar) -> ScalarKind {
    if scalar.isASCII {
      switch fold(ascii: UInt8(truncatingIfNeeded: scalar.value)) {
      case 0: return .dropped
      case space: return .separator
      default: return .letter
      }
    }
    switch scalar.value {
    // Combining accents, which decomposed text has; marks of other scripts are vowels and stay.
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x20D0...0x20FF: return .dropped
    // Apostrophes and letters that look like one (ʻokina, ayn), a soft hyphen, joiners, marks of
    // direction, a byte order mark.
    case 0x2018, 0x2019, 0x2032, 0xB4, 0x2B9...0x2BF, 0xAD, 0x200B...0x200F, 0x202A...0x202E,
      0xFEFF:
      return .dropped
    default: break
    }
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .connectorPunctuation, .format, .otherSymbol, .mathSymbol:
      return .separator
    default: return .letter
    }
  }

  private static func append(
    _ scalar: Unicode.Scalar, to folded: inout [UInt8], spellingOut: Bool
  ) {
    if scalar.isASCII {
      folded.append(fold(ascii: UInt8(truncatingIfNeeded: scalar.value)))
    } else if spellingOut, let letters = spelledOut[scalar] {
      folded += letters.utf8
    } else if let letters = latin[scalar] ?? others[scalar] {
      folded += letters.utf8
    } else if (0xFF01...0xFF5E).contains(scalar.value) {
      // Full-width forms of ASCII.
      folded.append(fold(ascii: UInt8(truncatingIfNeeded: scalar.value - 0xFEE0)))
    } else {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars
      where !(0x300...0x36F).contains(lower.value) {
        folded += (latin[lower] ?? others[lower] ?? String(lower)).utf8
      }
    }
  }

  /// Letters that a language spells with two letters where it has no accents.
  private static let spelledOut: [Unicode.Scalar: String] = [
    "ä": "ae", "Ä": "ae", "ö": "oe", "Ö": "oe", "ü": "ue", "Ü": "ue", "ø": "oe", "Ø": "oe",
    "å": "aa", "Å": "aa",
  ]

  /// The Latin letters with accents and strokes, by their Unicode names: `LATIN SMALL LETTER L WITH
  /// STROKE` is an l. Ligatures and letters without such a name are in ``others``.
  private static let latin: [Unicode.Scalar: String] = {
    var table: [Unicode.Scalar: String] = [:]
    for value in Array(UInt32(0xC0)...0x24F) + Array(UInt32(0x1E00)...0x1EFF) {
      guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { continue }
      let words = name.split(separator: " ")
      guard words.count > 4, words[0] == "LATIN", words[2] == "LETTER", words[4] == "WITH",
        words[3].utf8.count <= 2
      else { continue }
      table[scalar] = words[3].lowercased()
    }
    return table
  }()

  private static let others: [Unicode.Scalar: String] = [
    "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "ð": "d",
    "Ð": "d", "þ": "th", "Þ": "th", "ə": "e", "Ə": "e", "ĳ": "ij", "Ĳ": "ij", "ŋ": "n",
    "Ŋ": "n", "ĸ": "k", "ŉ": "n",
    // Greek with an accent, and the sigma at the end of a word.
    "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ό": "ο", "ύ": "υ", "ώ": "ω", "ϊ": "ι", "ϋ": "υ",
    "ΐ": "ι", "ΰ": "υ", "ς": "σ",
    // Cyrillic letters that are a letter and an accent when decomposed.
    "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к", "ѐ": "е", "ѝ": "и",
  ]
}
