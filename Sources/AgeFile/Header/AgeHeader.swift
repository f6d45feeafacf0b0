import ByteStreams

/// The head of a file: wrappings of the file key, and a code that authenticates them.
///
/// - Source: C2SP age v1, "Header".
struct AgeHeader: Equatable, Sendable {
  /// At least one.
  let stanzas: [AgeStanza]
  /// The authentication code of the header.
  let code: [UInt8]
  /// What the code covers: the bytes up to and including "---".
  let authenticated: [UInt8]

  static let versionLine = "age-encryption.org/v1"
  /// The number of bytes of the file key.
  static let fileKeyBytes = 16

  /// The code of these bytes under a file key.
  static func code(of authenticated: [UInt8], fileKey: [UInt8]) -> [UInt8] {
    let key = HKDFSHA256.key(from: fileKey, info: Array("header".utf8))
    return HMACSHA256.code(for: authenticated, key: key)
  }

  /// The bytes of a header with these stanzas.
  static func bytes(_ stanzas: [AgeStanza], fileKey: [UInt8]) -> [UInt8] {
    let authenticated =
      Array("\(versionLine)\n".utf8) + stanzas.flatMap(\.bytes) + Array("---".utf8)
    let code = code(of: authenticated, fileKey: fileKey)
    return authenticated + Array(" ".utf8) + UnpaddedBase64.encode(code) + [0x0a]
  }

  /// Finds the file key and checks the header with it.
  ///
  /// - Throws: ``AgeError/noIdentityMatches``; ``AgeError/headerAuthenticationFailed``; what
  ///   unwrapping throws.
  func fileKey(for identities: [AgeIdentity], _ passphrases: [AgePassphrase]) throws(AgeError)
    -> [UInt8]
  {
    guard let fileKey = try unwrap(identities, passphrases) else { throw .noIdentityMatches }
    guard HMACSHA256.areEqual(Self.code(of: authenticated, fileKey: fileKey), code) else {
      throw .headerAuthenticationFailed
    }
    return fileKey
  }

  private func unwrap(_ identities: [AgeIdentity], _ passphrases: [AgePassphrase])
    throws(AgeError) -> [UInt8]?
  {
    var line = 2
    for stanza in stanzas {
      if !identities.isEmpty, let wrapping = try X25519Wrapping(stanza, line: line) {
        for identity in identities {
          if let key = try wrapping.unwrap(identity, line: line) { return key }
        }
      } else if !passphrases.isEmpty, let wrapping = try ScryptWrapping(stanza, line: line) {
        for passphrase in passphrases {
          if let key = try wrapping.unwrap(passphrase) { return key }
        }
      }
      line += stanza.bytes.count { $0 == 0x0a }
    }
    return nil
  }
}
