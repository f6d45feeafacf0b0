/// A public key for which files are encrypted: "age1…". It is not a secret.
///
/// - Source: C2SP age v1, "The X25519 recipient type".
package struct AgeRecipient: Hashable, Sendable {
  /// The 32 bytes of the X25519 public key.
  package let publicKey: [UInt8]

  static let prefix = "age"

  /// Creates a recipient from the 32 bytes of a public key.
  ///
  /// - Throws: ``AgeError/keyDamaged(_:)`` if there are not 32 bytes.
  package init(publicKey: [UInt8]) throws(AgeError) {
    guard publicKey.count == Primitives.keyBytes else { throw .keyDamaged(.length) }
    self.publicKey = publicKey
  }

  /// Reads "age1…", in lower or upper case.
  ///
  /// - Throws: ``AgeError/keyDamaged(_:)``, with what is wrong.
  package init(_ text: String) throws(AgeError) {
    try self.init(publicKey: Bech32.decode(text, prefix: Self.prefix))
  }

  /// "age1…", 62 characters.
  package var text: String { Bech32.encode(publicKey, prefix: Self.prefix) }
}

extension AgeRecipient: CustomStringConvertible {
  package var description: String { text }
}
