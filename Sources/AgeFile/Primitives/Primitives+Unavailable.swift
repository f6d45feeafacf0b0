#if !Sync && !canImport(CryptoKit)
  /// What the functions say when neither library is there.
  private let needs = "the package trait Sync, which needs libsodium"

  extension Primitives {
    /// Whether this program can encrypt and decrypt.
    static let isAvailable = false
    /// Whether this program can derive keys from passphrases.
    static let hasScrypt = false

    /// Throws.
    static func randomBytes(_ count: Int) throws(AgeError) -> [UInt8] {
      throw .cryptographyUnavailable(needs: needs)
    }

    /// Throws.
    static func publicKey(of secret: [UInt8]) throws(AgeError) -> [UInt8] {
      throw .cryptographyUnavailable(needs: needs)
    }

    /// Throws.
    static func sharedSecret(_ secret: [UInt8], _ publicKey: [UInt8]) throws(AgeError) -> [UInt8]? {
      throw .cryptographyUnavailable(needs: needs)
    }

    /// Throws.
    static func seal(
      _ message: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
      into sealed: UnsafeMutableRawBufferPointer
    ) throws(AgeError) {
      throw .cryptographyUnavailable(needs: needs)
    }

    /// Throws.
    static func open(
      _ sealed: UnsafeRawBufferPointer, key: [UInt8], nonce: [UInt8],
      into message: UnsafeMutableRawBufferPointer
    ) throws(AgeError) -> Bool {
      throw .cryptographyUnavailable(needs: needs)
    }

    /// Throws.
    static func scrypt(_ passphrase: [UInt8], salt: [UInt8], workFactor: Int) throws(AgeError)
      -> [UInt8]
    {
      throw .cryptographyUnavailable(needs: needs)
    }

    /// Overwrites bytes. There are no secrets that were made or used here.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
#endif
