import ByteStreams

/// A token that the server accepts. Only its hash is kept: 256 random bits cannot be guessed from
/// it, so it needs neither salt nor a slow hash.
package struct AccessToken: Hashable, Sendable {
  /// What a token allows.
  package enum Scope: String, CaseIterable, Sendable {
    /// To send positions.
    case phone
    /// To read maps, answers and metrics.
    case reader
  }

  /// Its name: of a phone, the name of its recordings.
  package let name: String
  /// What it allows.
  package let scope: Scope
  /// SHA-256 of the token in lowercase hexadecimal digits.
  package let hash: String

  /// Makes a token with 256 random bits.
  ///
  /// - Returns: the token as the app sends it, which is kept nowhere, and what is kept.
  package static func make(named name: String, scope: Scope) -> (secret: String, token: AccessToken)
  {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    // 43 digits of 6 bits are 258 bits.
    let secret = String((0..<43).map { _ in digits[Int.random(in: 0..<64, using: &generator)] })
    return (secret, AccessToken(name: name, scope: scope, hash: hash(of: secret)))
  }

  /// The hash of a token as an app sent it.
  package static func hash(of secret: String) -> String {
    SHA256.hexadecimal(of: Array(secret.utf8))
  }

  /// Why a name is not possible, as the end of a sentence; nil if it is.
  package static func reasonToRefuse(name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2D
        || byte == 0x5F || byte == 0x2E
    }
    return isPlain && (1...64).contains(name.utf8.count) && name.first != "."
      ? nil : "must be 1 to 64 letters, digits, hyphens, dots or underscores"
  }

  /// Finds the token with a hash. Compares all bytes of all tokens, so that the time says nothing.
  ///
  /// - Complexity: O(tokens).
  package static func find(_ hash: String, in tokens: [AccessToken]) -> AccessToken? {
    let wanted = Array(hash.utf8)
    var found: AccessToken?
    for token in tokens {
      var difference = UInt8(wanted.count == token.hash.utf8.count ? 0 : 1)
      for (one, other) in zip(wanted, token.hash.utf8) { difference |= one ^ other }
      if difference == 0 { found = token }
    }
    return found
  }
}
