#if Sync || canImport(CryptoKit)
  import ByteStreams
  import TestSupport
  import Testing

  @testable import AgeFile

  @Suite struct RoundTripTests {
    static let sizes = [
      0, 1, 15, 16, 17, 65_535, 65_536, 65_537, 65_552, 131_071, 131_072, 131_073, 3_000_000,
    ]

    @Test(arguments: sizes)
    func `what is encrypted is decrypted, whatever the pieces`(size: Int) throws {
      let identity = try AgeIdentity.generate()
      let bytes = [UInt8].random(size, seed: 1)
      for pieces in [[size + 1], [65_536], [1000, 70_000], [65_535, 1, 65_537], [200_000]] {
        let encryptor = try AgeEncryptor(to: [identity.recipient])
        var file: [UInt8] = []
        try bytes.inPieces(pieces) { try encryptor.append($0) { file.append(contentsOf: $0) } }
        try encryptor.finish { file.append(contentsOf: $0) }
        // The header with one recipient has 168 bytes: the lines of the format's example.
        let chunks = max(1, (size + 65_535) / 65_536)
        #expect(file.count == 168 + 16 + size + 16 * chunks)
        #expect(try Age.decrypt(file, with: [identity]) == bytes)
        for parts in [[size + 200], [65_552], [977], [65_551, 3]] {
          let result = try Decryption(file, with: [identity], pieces: parts)
          #expect(result.error == nil && result.bytes == bytes)
        }
      }
    }

    @Test(arguments: Seeds.sample(30))
    func `any of several recipients can read a file`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      let identities = try (0..<Int.random(in: 1...6, using: &random)).map { _ in
        try AgeIdentity.generate()
      }
      let bytes = [UInt8].random(Int.random(in: 0...200_000, using: &random), seed: seed)
      let file = try Age.encrypt(bytes, to: identities.map(\.recipient))
      for identity in identities {
        #expect(try Age.decrypt(file, with: [identity]) == bytes)
      }
      let stranger = try AgeIdentity.generate()
      #expect(throws: AgeError.noIdentityMatches) { try Age.decrypt(file, with: [stranger]) }
      #expect(throws: AgeError.noIdentityMatches) { try Age.decrypt(file, with: []) }
      #expect(try Age.decrypt(file, with: [stranger] + identities) == bytes)
    }

    @Test func `two files with the same contents share nothing but the first line`() throws {
      let identity = try AgeIdentity.generate()
      let bytes = [UInt8](repeating: 0, count: 1000)
      let files = try (0..<2).map { _ in try Age.encrypt(bytes, to: [identity.recipient]) }
      let lines = files.map { Set($0.split(separator: 0x0a).map(Array.init)) }
      #expect(lines[0].intersection(lines[1]) == [Array("age-encryption.org/v1".utf8)])
      #expect(files[0].suffix(1016) != files[1].suffix(1016))
    }

    @Test func `a file without recipients is refused`() {
      #expect(throws: AgeError.noRecipients) { try Age.encrypt([], to: []) }
    }

    @Test func `a weak recipient is refused`() throws {
      let zero = try AgeRecipient(publicKey: [UInt8](repeating: 0, count: 32))
      #expect(throws: AgeError.recipientUnusable) { try Age.encrypt([1], to: [zero]) }
    }

    @Test func `a passphrase opens what it encrypted, and another does not`() throws {
      guard AgePassphrase.areAvailable else { return }
      let bytes = [UInt8].random(100_000, seed: 3)
      let file = try Age.encrypt(bytes, with: AgePassphrase("früher Schnee"), workFactor: 10)
      let read = try Age.decrypt(file, with: [], passphrases: [AgePassphrase("früher Schnee")])
      #expect(read == bytes)
      #expect(throws: AgeError.noIdentityMatches) {
        try Age.decrypt(file, with: [], passphrases: [AgePassphrase("fruher Schnee")])
      }
      let identity = try AgeIdentity.generate()
      #expect(throws: AgeError.noIdentityMatches) { try Age.decrypt(file, with: [identity]) }
    }

    @Test func `an error of the sink ends both directions, and stays`() throws {
      struct Full: Error {}
      let identity = try AgeIdentity.generate()
      let bytes = [UInt8].random(200_000, seed: 4)
      let encryptor = try AgeEncryptor(to: [identity.recipient])
      #expect(throws: Full.self) {
        try bytes.withUnsafeBytes { try encryptor.append($0) { _ in throw Full() } }
      }
      let file = try Age.encrypt(bytes, to: [identity.recipient])
      let decryptor = AgeDecryptor(with: [identity])
      #expect(throws: Full.self) {
        try file.withUnsafeBytes { try decryptor.append($0) { _ in throw Full() } }
      }
      #expect(throws: Full.self) { try decryptor.finish { _ in } }
    }
  }
#endif
