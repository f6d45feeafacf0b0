#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  extension Primitives {
    /// Whether this program can encrypt and decrypt.
    static let isAvailable = true
    /// Whether this program can derive keys from passphrases. CryptoKit has no scrypt.
    static let hasScrypt = false

    /// Random bytes of the system, fit for keys.
    static func randomBytes(_ count: Int) throws(AgeError) -> [UInt8] {
      // The generator of the system is `arc4random_buf`, which Apple documents as fit for keys.
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The public key of a secret key of 32 bytes.
    static func publicKey(of secret: [UInt8]) throws(AgeError) -> [UInt8] {
      precondition(secret.count == keyBytes)
      guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret) else {
        throw .keyDamaged(.length)
      }
      return Array(key.publicKey.rawRepresentation)
    }

    /// What both sides of X25519 (RFC 7748) compute; nil if it is zero, as with a weak public key.
    static func sharedSecret(_ secret: [UInt8], _ publicKey: [UInt8]) throws(AgeError) -> [UInt8]? {
      precondition(secret.count == keyBytes && publicKey.count == keyBytes)
      guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret),
        let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
        let shared = try? key.sharedSecretFromKeyAgreement(with: other)
      else { return nil }
      let result = shared.withUnsafeBytes { Array($0) }
      return result.contains { $0 != 0 } ? result : nil
    }

    /// Encrypts with ChaCha20-Poly1305 (RFC 8439) into a buffer with space for the tag.
    static func seal(
      _ message: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
      into sealed: UnsafeMutableRawBufferPointer
    ) throws(AgeError) {
      precondition(key.count == keyBytes && nonce.count == nonceBytes)
      precondition(sealed.count == message.count + tagBytes)
      guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
        let box = try? ChaChaPoly.seal(message, using: SymmetricKey(data: key), nonce: nonce)
      else { throw .cryptographyUnavailable(needs: "a working CryptoKit") }
      sealed.copyBytes(from: box.ciphertext)
      UnsafeMutableRawBufferPointer(rebasing: sealed[message.count...]).copyBytes(from: box.tag)
    }

    /// Decrypts into a buffer of exactly the message's size. Returns false, and leaves the buffer
    /// undefined, if the bytes were not encrypted with this key and nonce.
    static func open(
      _ sealed: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
      into message: UnsafeMutableRawBufferPointer
    ) throws(AgeError) -> Bool {
      precondition(key.count == keyBytes && nonce.count == nonceBytes)
      precondition(sealed.count == message.count + tagBytes)
      guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
        let box = try? ChaChaPoly.SealedBox(
          nonce: nonce, ciphertext: sealed[..<message.count], tag: sealed[message.count...]),
        let opened = try? ChaChaPoly.open(box, using: SymmetricKey(data: key))
      else { return false }
      message.copyBytes(from: opened)
      return true
    }

    /// Throws: CryptoKit has no scrypt.
    static func scrypt(_ passphrase: [UInt8], salt: [UInt8], workFactor: Int) throws(AgeError)
      -> [UInt8]
    {
      throw .cryptographyUnavailable(needs: "libsodium, for passphrases")
    }

    /// Overwrites a secret.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      memset_s(start, bytes.count, 0, bytes.count)
    }
  }
#endif
