import ByteStreams

/// SHA-256 as text.
enum SHA256Text {
  /// The 32 bytes of 64 lowercase hexadecimal digits; nil for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    text.utf8.count == 64 ? Hexadecimal.bytes(lowercase: text) : nil
  }
}
