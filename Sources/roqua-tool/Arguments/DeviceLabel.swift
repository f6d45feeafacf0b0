import ByteStreams
import StoreSync

/// The names that people give to their devices.
enum DeviceLabel {
  /// Why a text is not a name, as the end of a sentence; nil if it is one.
  static func reasonToRefuse(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "must not be empty" }
    if name.utf8.count > TextLimit.displayName {
      return "must not be longer than \(TextLimit.displayName) bytes"
    }
    return name.unicodeScalars.contains(where: \.isObeyedByTerminals)
      ? "must not contain control characters" : nil
  }
}
