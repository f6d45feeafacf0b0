extension Unicode.Scalar {
  /// True if a terminal interprets the character instead of showing it, or if it changes how its
  /// neighbors are shown: control characters (C0, DEL, C1), format characters, which change the
  /// writing direction or are invisible, and line and paragraph separators.
  ///
  /// The two joiners, U+200C and U+200D, are shown as they are: names in Persian, Hindi and Sinhala
  /// and many emoji are written with them, and they only choose the shapes of their neighbors.
  package var isObeyedByTerminals: Bool {
    if value < 0x7F { return value < 0x20 }
    if value == 0x200C || value == 0x200D { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension String {
  /// The text in which the characters are visible that a terminal would obey: `\u{1b}` stands for
  /// ESC. A text that passed before stays as it is.
  package var safeForTerminals: String {
    // Most lines are plain ASCII, and long lists have many.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isObeyedByTerminals) else { return self }
    return unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.isObeyedByTerminals {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
