import AgeFile
import Synchronization

/// Encrypts the files of a sync folder. Tests replace it where encryption is not what they test.
package protocol Sealing: Sendable {
  /// The public key of a secret key.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  func publicKey(of secret: SecretKey) throws(AgeError) -> PublicKey

  /// Encrypts bytes so that any of the recipients can read them.
  ///
  /// - Throws: `AgeError`, for example for a key that nobody can have.
  func seal(_ bytes: [UInt8], to recipients: [PublicKey]) throws(AgeError) -> [UInt8]

  /// Decrypts bytes with whichever of the secret keys opens them.
  ///
  /// - Throws: `AgeError.noIdentityMatches` if none does; others for damaged bytes.
  func open(_ bytes: [UInt8], with secrets: [SecretKey]) throws(AgeError) -> [UInt8]

  /// What only the owners of two key pairs can compute, each from its own secret and the other's
  /// public key.
  ///
  /// - Throws: `AgeError.recipientUnusable` for a key with which no secret can be agreed on;
  ///   `AgeError.cryptographyUnavailable`.
  func sharedSecret(_ secret: SecretKey, with key: PublicKey) throws(AgeError) -> [UInt8]
}

/// Files in the age format.
package final class AgeSealing: Sealing {
  /// The identities of secrets that were used: deriving one takes longer than opening a file.
  private let identities = Mutex<[SecretKey: AgeIdentity]>([:])

  /// Creates a value that knows no secret yet.
  package init() {}

  package func publicKey(of secret: SecretKey) throws(AgeError) -> PublicKey {
    PublicKey(try identity(of: secret).recipient)
  }

  package func seal(_ bytes: [UInt8], to recipients: [PublicKey]) throws(AgeError) -> [UInt8] {
    var keys: [AgeRecipient] = []
    for recipient in recipients { keys.append(try AgeRecipient(recipient)) }
    return try Age.encrypt(bytes, to: keys)
  }

  package func open(_ bytes: [UInt8], with secrets: [SecretKey]) throws(AgeError) -> [UInt8] {
    var keys: [AgeIdentity] = []
    for secret in secrets { keys.append(try identity(of: secret)) }
    return try Age.decrypt(bytes, with: keys)
  }

  package func sharedSecret(_ secret: SecretKey, with key: PublicKey) throws(AgeError) -> [UInt8] {
    try identity(of: secret).sharedSecret(with: AgeRecipient(key))
  }

  private func identity(of secret: SecretKey) throws(AgeError) -> AgeIdentity {
    if let known = identities.withLock({ $0[secret] }) { return known }
    let identity = try AgeIdentity(secretKey: secret.bytes)
    identities.withLock { $0[secret] = identity }
    return identity
  }
}

extension AgeRecipient {
  fileprivate init(_ key: PublicKey) throws(AgeError) { try self.init(publicKey: key.bytes) }
}

extension PublicKey {
  fileprivate init(_ recipient: AgeRecipient) {
    guard let key = PublicKey(bytes: recipient.publicKey) else {
      preconditionFailure("a recipient has 32 bytes")
    }
    self = key
  }

  /// Reads "age1…".
  ///
  /// - Throws: `AgeError.keyDamaged`, with what is wrong.
  package init(text: String) throws(AgeError) { self.init(try AgeRecipient(text)) }

  /// "age1…", 62 characters.
  ///
  /// - Throws: never for a key of 32 bytes.
  package func text() throws(AgeError) -> String { try AgeRecipient(self).text }
}

extension SecretKey {
  /// Makes a secret from random bytes of the system.
  package static func random() -> SecretKey {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<(PublicKey.byteCount / 8)).flatMap { _ in
      (generator.next() as UInt64).bigEndianBytes
    }
    guard let secret = SecretKey(bytes: bytes) else { preconditionFailure("32 bytes") }
    return secret
  }

  /// Reads "AGE-SECRET-KEY-1…".
  ///
  /// - Throws: `AgeError.keyDamaged`, with what is wrong; `AgeError.cryptographyUnavailable`.
  package init(text: String) throws(AgeError) {
    guard let secret = SecretKey(bytes: try AgeIdentity(text).secretKey) else {
      throw .keyDamaged(.length)
    }
    self = secret
  }

  /// "AGE-SECRET-KEY-1…", 74 characters: the form in which a recovery key is shown once, and a
  /// device keeps its own key.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package func text() throws(AgeError) -> String {
    try AgeIdentity(secretKey: bytes).secretText
  }
}
