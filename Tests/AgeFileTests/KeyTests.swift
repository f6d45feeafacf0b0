#if Sync || canImport(CryptoKit)
  import TestSupport
  import Testing

  @testable import AgeFile

  @Suite struct KeyTests {
    /// The examples of the format's description.
    static let secretText =
      "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    static let recipientText = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"

    @Test func `the example of the format has its recipient`() throws {
      let identity = try AgeIdentity(Self.secretText)
      #expect(identity.secretKey == [UInt8](repeating: 0x42, count: 32))
      #expect(identity.recipient.text == Self.recipientText)
      #expect(identity.secretText == Self.secretText)
      #expect(try AgeRecipient(Self.recipientText) == identity.recipient)
      #expect(try AgeIdentity(Self.secretText.lowercased()) == identity)
      #expect(try AgeRecipient(Self.recipientText.uppercased()) == identity.recipient)
    }

    @Test func `generated identities differ, and their text gives them back`() throws {
      let identities = try (0..<50).map { _ in try AgeIdentity.generate() }
      #expect(Set(identities.map(\.secretText)).count == 50)
      for identity in identities {
        #expect(identity.secretText.count == 74 && identity.recipient.text.count == 62)
        #expect(try AgeIdentity(identity.secretText) == identity)
        #expect(try AgeRecipient(identity.recipient.text) == identity.recipient)
      }
      #expect(identities[0] != identities[1])
    }

    @Test func `a key with any wrong character is refused`() throws {
      let text = Array(Self.recipientText)
      for index in text.indices {
        for other in "qpzry9x8gf2tvdw0s3jn54khce6mua7l1bio-" where other != text[index] {
          var wrong = text
          wrong[index] = other
          #expect(throws: AgeError.self) { try AgeRecipient(String(wrong)) }
        }
        var shorter = text
        shorter.remove(at: index)
        #expect(throws: AgeError.self) { try AgeRecipient(String(shorter)) }
      }
    }

    @Test func `the errors of keys say what is wrong`() {
      let cases: [(String, AgeError.KeyTextProblem)] = [
        ("", .prefix(expected: "age1")), ("bge1qqqqqq", .prefix(expected: "age1")),
        ("age1pq1qqqqqq", .prefix(expected: "age1")), ("age1zvkb", .character(position: 8)),
        ("age1Zvkyg2", .mixedCase), ("age1qqq", .length), ("age1qqqqqqqq", .checksum),
        (Self.secretText, .prefix(expected: "age1")),
      ]
      for (text, problem) in cases {
        #expect(throws: AgeError.keyDamaged(problem), "\(text)") { try AgeRecipient(text) }
      }
      #expect(throws: AgeError.keyDamaged(.prefix(expected: "AGE-SECRET-KEY-1"))) {
        try AgeIdentity(Self.recipientText)
      }
      // A valid text of 31 bytes.
      let short = Bech32.encode([UInt8](repeating: 7, count: 31), prefix: "age")
      #expect(throws: AgeError.keyDamaged(.length)) { try AgeRecipient(short) }
    }

    /// The example of RFC 7748, section 6.1.
    @Test func `an identity and a recipient share the secret that the standard states`() throws {
      func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap {
          UInt8(text.dropFirst($0).prefix(2), radix: 16)
        }
      }
      let bob = try AgeIdentity(
        secretKey: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
      let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
      let alice = try AgeRecipient(
        publicKey: bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
      #expect(try bob.sharedSecret(with: alice) == shared)
      // Both sides compute the same.
      let other = try AgeIdentity.generate()
      #expect(
        try bob.sharedSecret(with: other.recipient) == other.sharedSecret(with: bob.recipient))
    }

    /// The points of small order, with which the result is zero (RFC 7748, section 6.1).
    @Test func `a weak public key shares no secret`() throws {
      let identity = try AgeIdentity.generate()
      for first: UInt8 in [0, 1] {
        let weak = try AgeRecipient(publicKey: [first] + [UInt8](repeating: 0, count: 31))
        #expect(throws: AgeError.recipientUnusable) { try identity.sharedSecret(with: weak) }
      }
    }

    @Test func `no description of a secret shows it`() throws {
      let identity = try AgeIdentity(Self.secretText)
      let passphrase = AgePassphrase("früher Schnee")
      var dumped = ""
      dump(identity, to: &dumped)
      dump(passphrase, to: &dumped)
      dump([identity], to: &dumped)
      let texts = [
        "\(identity)", String(reflecting: identity), "\([identity])",
        "\(Optional(identity) as Any)", "\(passphrase)", String(reflecting: passphrase), dumped,
      ]
      for text in texts {
        #expect(!text.uppercased().contains("GFPYYSJZ") && !text.contains("Schnee"))
        #expect(!text.contains("66, 66") && !text.contains("4242"))
      }
      #expect(texts[0] == "identity of \(Self.recipientText)")
    }
  }
#endif
