/// The names that people give to their devices.
enum DeviceLabel {
  /// The longest name, in bytes of UTF-8.
  private static let longest = 200

  /// Why a text is not a name, as the end of a sentence; nil if it is one.
  static func reasonToRefuse(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "must not be empty" }
    if name.utf8.count > longest { return "must not be longer than \(longest) bytes" }
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: false
      default: !scalar.properties.isBidiControl
      }
    }
    return isPlain ? nil : "must not contain control characters"
  }
}
