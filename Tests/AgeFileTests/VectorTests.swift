#if Sync || canImport(CryptoKit)
  import ByteStreams
  import Testing

  @testable import AgeFile

  /// The published test vectors (Vectors/README.md).
  @Suite struct VectorTests {
    @Test func `no vector is missing`() {
      let groups = Dictionary(grouping: AgeVector.names) { $0.prefix { $0 != "_" } }
      #expect(
        groups.mapValues(\.count)
          == [
            "empty": 1, "version": 1, "header": 1, "hmac": 8, "stanza": 14, "x25519": 14,
            "scrypt": 25, "stream": 28,
          ])
    }

    @Test(arguments: AgeVector.names)
    func `a vector has its outcome, and gives out exactly its bytes`(name: String) throws {
      let vector = try AgeVector(name)
      guard vector.passphrases.isEmpty || AgePassphrase.areAvailable else { return }
      let identities = try vector.identities.map { try AgeIdentity($0) }
      let passphrases = vector.passphrases.map { AgePassphrase($0) }
      let count = vector.file.count
      for pieces in [[count + 1], [4096, 65_536], [65_552, 200], count < 1000 ? [1] : [977]] {
        let result = try Decryption(
          vector.file, with: identities, passphrases: passphrases, pieces: pieces)
        let outcome = try result.error.map { try AgeVector.Expectation($0) } ?? .success
        #expect(outcome == vector.expectation, "\(result.error as Any)")
        #expect(SHA256.hexadecimal(of: result.bytes) == vector.payloadDigest)
      }
      do throws(AgeError) {
        let bytes = try Age.decrypt(vector.file, with: identities, passphrases: passphrases)
        #expect(vector.expectation == .success)
        #expect(SHA256.hexadecimal(of: bytes) == vector.payloadDigest)
      } catch {
        #expect(try AgeVector.Expectation(error) == vector.expectation)
      }
    }

    @Test(arguments: AgeVector.names)
    func `a header that is read is written again in the same bytes`(name: String) throws {
      let vector = try AgeVector(name)
      var parser = AgeHeaderParser()
      let (header, count): (AgeHeader?, Int)
      do {
        (header, count) = try vector.file.withUnsafeBytes { try parser.append($0) }
      } catch let error as AgeError {
        #expect(try AgeVector.Expectation(error) == .headerFailure)
        #expect(vector.expectation == .headerFailure)
        return
      }
      guard let header else {
        #expect(vector.expectation == .headerFailure)
        return
      }
      let key = try #require(Self.bytes(hexadecimal: vector.fileKey))
      let written = AgeHeader.bytes(header.stanzas, fileKey: key)
      if vector.expectation == .authenticationFailure {
        #expect(written.dropLast(44) == vector.file[..<count].dropLast(44))
      } else {
        #expect(written == Array(vector.file[..<count]))
      }
    }

    @Test func `the lines of damaged headers are named`() throws {
      let lines: [String: (Int, AgeError.HeaderProblem)] = [
        "header_crlf": (1, .carriageReturn), "hmac_garbage": (4, .base64),
        "stanza_bad_start": (4, .lineStart), "stanza_empty_argument": (4, .argument),
        "stanza_long_line": (5, .base64), "stanza_missing_final_line": (6, .base64),
        "x25519_extra_argument": (2, .stanza(type: "X25519")),
        "x25519_long_file_key": (2, .keyLength(type: "X25519")), "x25519_low_order": (2, .share),
        "scrypt_double": (4, .passphraseNotAlone), "scrypt_and_x25519": (4, .passphraseNotAlone),
        "scrypt_work_factor_23": (2, .workFactor),
        "scrypt_work_factor_hex": (2, .stanza(type: "scrypt")),
      ]
      for (name, (line, problem)) in lines {
        let vector = try AgeVector(name)
        let identities = try vector.identities.map { try AgeIdentity($0) }
        #expect(throws: AgeError.headerDamaged(line: line, problem: problem), "\(name)") {
          try Age.decrypt(
            vector.file, with: identities, passphrases: vector.passphrases.map { .init($0) })
        }
      }
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
      let digits = text.compactMap(\.hexDigitValue)
      guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
  }
#endif
