import Foundation

/// The rules for names of profiles.
///
/// A name has 1 to 100 characters, no space at its ends, no control character, line break or
/// character that changes the direction of text, and no hyphen at its start, where it would be read
/// as an option. Two profiles cannot have names that differ only in upper and lower case.
enum ProfileName {
  /// The greatest number of characters.
  static let longest = 100

  /// Returns the name without white space at its ends.
  ///
  /// - Throws: ``ProfileError/invalidName(name:reason:)``.
  static func checked(_ text: String) throws(ProfileError) -> String {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let reason = reasonToRefuse(name) { throw .invalidName(name: name, reason: reason) }
    return name
  }

  /// The reason why a trimmed text is not a name; nil if it is one.
  static func reasonToRefuse(_ name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.count > longest || name.utf8.count > 4 * longest {
      return "it is longer than \(longest) characters"
    }
    if name.hasPrefix("-") { return "it begins with a hyphen, as options do" }
    guard name.unicodeScalars.allSatisfy(isPlain) else {
      return "it contains a control character or a line break"
    }
    return name == name.trimmingCharacters(in: .whitespacesAndNewlines)
      ? nil : "it begins or ends with a space"
  }

  /// The form in which names are compared.
  static func key(_ name: String) -> String { name.lowercased() }

  /// Whether a character may be in a name. The marks that reorder text (Unicode Standard Annex #9)
  /// would let one name look like another.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: false
    default: !scalar.properties.isBidiControl
    }
  }
}
