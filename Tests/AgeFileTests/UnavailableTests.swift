#if !Sync && !canImport(CryptoKit)
  import Testing

  @testable import AgeFile

  /// What a program does that was built without a library for cryptography.
  @Suite struct UnavailableTests {
    @Test func `every function says what is missing`() throws {
      let error = AgeError.cryptographyUnavailable(
        needs: "the package trait Sync, which needs libsodium")
      let recipient = try AgeRecipient(
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj")
      #expect(!Age.isAvailable && !AgePassphrase.areAvailable)
      #expect(throws: error) { try AgeIdentity.generate() }
      #expect(throws: error) { try AgeIdentity(secretKey: [UInt8](repeating: 1, count: 32)) }
      #expect(throws: error) { try Age.encrypt([1], to: [recipient]) }
      #expect(throws: error) { try Age.encrypt([1], with: AgePassphrase("secret")) }
      let file = try AgeVector("scrypt").file
      #expect(throws: error) {
        try Age.decrypt(file, with: [], passphrases: [AgePassphrase("password")])
      }
      #expect(error.description.contains("libsodium"))
    }
  }
#endif
