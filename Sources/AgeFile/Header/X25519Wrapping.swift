import ByteStreams

/// A file key that is wrapped for a recipient.
///
/// - Source: C2SP age v1, "X25519 recipient stanza".
struct X25519Wrapping {
  static let type = "X25519"

  /// The sender's public key, made for this stanza only.
  private let share: [UInt8]
  private let body: [UInt8]

  /// Reads a stanza; nil if it is of another type.
  ///
  /// - Throws: ``AgeError/headerDamaged(line:problem:)`` if it breaks a rule.
  init?(_ stanza: AgeStanza, line: Int) throws(AgeError) {
    guard stanza.type == Self.type else { return nil }
    guard stanza.arguments.count == 2,
      let share = UnpaddedBase64.decode(Array(stanza.arguments[1].utf8)),
      share.count == Primitives.keyBytes
    else { throw .headerDamaged(line: line, problem: .stanza(type: Self.type)) }
    // Checked before decrypting, so that one stanza cannot be made to fit several keys.
    guard stanza.body.count == AgeHeader.fileKeyBytes + Primitives.tagBytes else {
      throw .headerDamaged(line: line, problem: .keyLength(type: Self.type))
    }
    self.share = share
    body = stanza.body
  }

  /// Wraps a file key for a recipient.
  static func wrap(_ fileKey: [UInt8], for recipient: AgeRecipient) throws(AgeError) -> AgeStanza {
    let secret = try Primitives.randomBytes(Primitives.keyBytes)
    let share = try Primitives.publicKey(of: secret)
    guard let shared = try Primitives.sharedSecret(secret, recipient.publicKey) else {
      throw .recipientUnusable
    }
    let body = try Primitives.seal(fileKey, key: key(shared, share: share, recipient))
    let argument = String(decoding: UnpaddedBase64.encode(share), as: UTF8.self)
    return AgeStanza(arguments: [type, argument], body: body)
  }

  /// Returns the file key; nil if it was wrapped for another recipient.
  func unwrap(_ identity: AgeIdentity, line: Int) throws(AgeError) -> [UInt8]? {
    guard let shared = try Primitives.sharedSecret(identity.secretKey, share) else {
      throw .headerDamaged(line: line, problem: .share)
    }
    return try Primitives.open(body, key: Self.key(shared, share: share, identity.recipient))
  }

  private static func key(_ shared: [UInt8], share: [UInt8], _ recipient: AgeRecipient) -> [UInt8] {
    HKDFSHA256.key(
      from: shared, salt: share + recipient.publicKey,
      info: Array("age-encryption.org/v1/X25519".utf8))
  }
}
