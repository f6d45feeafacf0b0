extension Unicode.Scalar {
  /// Whether a terminal obeys it instead of showing it, or it changes how what stands beside it is
  /// shown: control characters (C0, DEL, C1), format characters, which turn the direction of
  /// writing or are invisible, and the separators of lines and paragraphs.
  package var isObeyedByTerminals: Bool {
    if value < 0x7F { return value < 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
