import ByteStreams

/// A secret key that opens files: "AGE-SECRET-KEY-1…". Its description shows only the recipient.
///
/// ```swift
/// let identity = try AgeIdentity.generate()
/// let file = try Age.encrypt(bytes, to: [identity.recipient])
/// let same = try Age.decrypt(file, with: [identity])
/// ```
///
/// - Source: C2SP age v1, "The X25519 recipient type".
package struct AgeIdentity: Sendable {
  /// The public key for which files are encrypted that this identity opens.
  package let recipient: AgeRecipient
  private let secret: SecretBytes

  static let prefix = "age-secret-key-"

  /// Creates an identity from the 32 bytes of a secret key.
  ///
  /// - Throws: ``AgeError/keyDamaged(_:)`` if there are not 32 bytes;
  ///   ``AgeError/cryptographyUnavailable(needs:)``.
  package init(secretKey: [UInt8]) throws(AgeError) {
    guard secretKey.count == Primitives.keyBytes else { throw .keyDamaged(.length) }
    recipient = try AgeRecipient(publicKey: Primitives.publicKey(of: secretKey))
    secret = SecretBytes(secretKey)
  }

  /// Reads "AGE-SECRET-KEY-1…", in upper or lower case.
  ///
  /// - Throws: ``AgeError/keyDamaged(_:)``, with what is wrong;
  ///   ``AgeError/cryptographyUnavailable(needs:)``.
  package init(_ text: String) throws(AgeError) {
    do throws(AgeError) {
      try self.init(secretKey: Bech32.decode(text, prefix: Self.prefix))
    } catch .keyDamaged(.prefix) {
      throw .keyDamaged(.prefix(expected: Self.prefix.uppercased() + "1"))
    }
  }

  /// Makes a new identity from random bytes of the system.
  ///
  /// - Throws: ``AgeError/cryptographyUnavailable(needs:)``.
  package static func generate() throws(AgeError) -> AgeIdentity {
    try AgeIdentity(secretKey: Primitives.randomBytes(Primitives.keyBytes))
  }

  /// The secret, "AGE-SECRET-KEY-1…", 74 characters. Whoever knows it can read everything that was
  /// encrypted for the recipient.
  package var secretText: String {
    Bech32.encode(secretKey, prefix: Self.prefix).uppercased()
  }

  /// The 32 bytes of the secret key.
  package var secretKey: [UInt8] { secret.bytes }

  /// The 32 bytes that this identity and a recipient's identity compute alike with X25519
  /// (RFC 7748), and nobody else. A key has to be derived from them.
  ///
  /// - Throws: ``AgeError/recipientUnusable`` if the result is zero, as with a weak public key;
  ///   ``AgeError/cryptographyUnavailable(needs:)``.
  package func sharedSecret(with recipient: AgeRecipient) throws(AgeError) -> [UInt8] {
    guard let shared = try Primitives.sharedSecret(secretKey, recipient.publicKey) else {
      throw .recipientUnusable
    }
    return shared
  }
}

extension AgeIdentity: Equatable {
  package static func == (left: AgeIdentity, right: AgeIdentity) -> Bool {
    left.recipient == right.recipient
      && HMACSHA256.areEqual(left.secretKey, right.secretKey)
  }
}

extension AgeIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "identity of \(recipient)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["recipient": recipient]) }
}
