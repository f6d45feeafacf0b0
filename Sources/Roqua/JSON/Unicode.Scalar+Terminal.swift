extension Unicode.Scalar {
  /// True if a terminal interprets the character instead of showing it, or if it changes how its
  /// neighbors are shown: control characters (C0, DEL, C1), format characters, which change the
  /// writing direction or are invisible, and line and paragraph separators.
  package var isObeyedByTerminals: Bool {
    if value < 0x7F { return value < 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
