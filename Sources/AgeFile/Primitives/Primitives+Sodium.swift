#if Sync && !canImport(CryptoKit)
  import CSodium

  extension Primitives {
    /// Whether this program can encrypt and decrypt.
    static let isAvailable = true
    /// Whether this program can derive keys from passphrases.
    static let hasScrypt = true

    /// Chooses the fastest implementation for this processor, once.
    private static let isReady = sodium_init() >= 0

    private static func prepare() throws(AgeError) {
      guard isReady else { throw .cryptographyUnavailable(needs: "a working libsodium") }
    }

    /// Random bytes of the system, fit for keys.
    static func randomBytes(_ count: Int) throws(AgeError) -> [UInt8] {
      try prepare()
      var bytes = [UInt8](repeating: 0, count: count)
      randombytes_buf(&bytes, count)
      return bytes
    }

    /// The public key of a secret key of 32 bytes.
    static func publicKey(of secret: [UInt8]) throws(AgeError) -> [UInt8] {
      precondition(secret.count == keyBytes)
      try prepare()
      var result = [UInt8](repeating: 0, count: keyBytes)
      crypto_scalarmult_curve25519_base(&result, secret)
      return result
    }

    /// What both sides of X25519 (RFC 7748) compute; nil if it is zero, as with a weak public key.
    static func sharedSecret(_ secret: [UInt8], _ publicKey: [UInt8]) throws(AgeError) -> [UInt8]? {
      precondition(secret.count == keyBytes && publicKey.count == keyBytes)
      try prepare()
      var result = [UInt8](repeating: 0, count: keyBytes)
      guard crypto_scalarmult_curve25519(&result, secret, publicKey) == 0 else { return nil }
      return result.contains { $0 != 0 } ? result : nil
    }

    /// Encrypts with ChaCha20-Poly1305 (RFC 8439) into a buffer with space for the tag.
    static func seal(
      _ message: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
      into sealed: UnsafeMutableRawBufferPointer
    ) throws(AgeError) {
      precondition(key.count == keyBytes && nonce.count == nonceBytes)
      precondition(sealed.count == message.count + tagBytes)
      try prepare()
      guard let result = sealed.baseAddress else { return }
      // Sound: libsodium writes `message.count` and 16 bytes, and reads `message.count`, during the
      // call. An empty message may have no address; libsodium does not read it then.
      crypto_aead_chacha20poly1305_ietf_encrypt(
        result.assumingMemoryBound(to: UInt8.self), nil,
        message.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(message.count), nil, 0,
        nil, nonce, key)
    }

    /// Decrypts into a buffer of exactly the message's size. Returns false, and leaves the buffer
    /// undefined, if the bytes were not encrypted with this key and nonce.
    static func open(
      _ sealed: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
      into message: UnsafeMutableRawBufferPointer
    ) throws(AgeError) -> Bool {
      precondition(key.count == keyBytes && nonce.count == nonceBytes)
      precondition(sealed.count == message.count + tagBytes)
      try prepare()
      guard let start = sealed.baseAddress else { return false }
      // Sound: libsodium reads `sealed.count` bytes, and writes 16 fewer, during the call.
      return crypto_aead_chacha20poly1305_ietf_decrypt(
        message.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil,
        start.assumingMemoryBound(to: UInt8.self), UInt64(sealed.count), nil, 0, nonce, key) == 0
    }

    /// Derives 32 bytes from a passphrase with scrypt (RFC 7914), r = 8 and p = 1.
    ///
    /// - Parameter workFactor: the base-2 logarithm of N. It takes 2^(workFactor + 10) bytes of
    ///   memory.
    static func scrypt(_ passphrase: [UInt8], salt: [UInt8], workFactor: Int) throws(AgeError)
      -> [UInt8]
    {
      try prepare()
      var result = [UInt8](repeating: 0, count: keyBytes)
      let status = crypto_pwhash_scryptsalsa208sha256_ll(
        passphrase, passphrase.count, salt, salt.count, 1 << UInt64(workFactor), 8, 1, &result,
        keyBytes)
      guard status == 0 else { throw .notEnoughMemory }
      return result
    }

    /// Overwrites a secret.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      sodium_memzero(start, bytes.count)
    }
  }
#endif
