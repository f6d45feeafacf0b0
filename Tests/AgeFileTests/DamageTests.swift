#if Sync || canImport(CryptoKit)
  import ByteStreams
  import TestSupport
  import Testing

  @testable import AgeFile

  @Suite struct DamageTests {
    private let identity: AgeIdentity
    private let small: [UInt8]
    /// Four chunks, the last one short.
    private let large: [UInt8]
    private let contents = [UInt8].random(3 * 65_536 + 100, seed: 7)
    private let smallContents = Array("explored".utf8)

    init() throws {
      identity = try AgeIdentity.generate()
      small = try Age.encrypt(smallContents, to: [identity.recipient])
      large = try Age.encrypt(contents, to: [identity.recipient])
    }

    @Test func `a small file that is cut off anywhere gives nothing`() throws {
      for count in 0..<small.count {
        let result = try Decryption(Array(small[..<count]), with: [identity], pieces: [1000])
        #expect(result.bytes.isEmpty)
        let error = try #require(result.error)
        switch count {
        case ..<19: #expect(error == .notAnAgeFile)
        case ..<184: #expect(error == .truncated(.header))
        case ..<200: #expect(error == .truncated(.payload(wholeChunks: 0)))
        default: #expect(error == .payloadDamaged(chunk: 1, isLast: true))
        }
      }
    }

    @Test func `a change of any bit of a small file is noticed`() throws {
      for index in small.indices {
        for bit in 0..<8 {
          var file = small
          file[index] ^= 1 << UInt8(bit)
          let result = try Decryption(file, with: [identity], pieces: [1000])
          #expect(result.error != nil && result.bytes.isEmpty, "byte \(index), bit \(bit)")
        }
      }
    }

    @Test func `a byte more or fewer at any place of a small file is noticed`() throws {
      for index in small.indices {
        var (longer, shorter) = (small, small)
        longer.insert(UInt8(truncatingIfNeeded: index), at: index)
        shorter.remove(at: index)
        for file in [longer, shorter] {
          #expect(throws: AgeError.self) { try Age.decrypt(file, with: [identity]) }
        }
      }
      #expect(throws: AgeError.payloadDamaged(chunk: 1, isLast: true)) {
        try Age.decrypt(small + [0], with: [identity])
      }
    }

    /// The payload's chunks, and what is before them.
    private var parts: (head: [UInt8], chunks: [[UInt8]]) {
      let payload = Array(large[184...])
      let starts = stride(from: 0, to: payload.count, by: 65_552)
      return (
        Array(large[..<184]),
        starts.map { Array(payload[$0..<min($0 + 65_552, payload.count)]) }
      )
    }

    @Test func `a file that is cut off between chunks gives the chunks and says so`() throws {
      let (head, chunks) = parts
      #expect(chunks.count == 4)
      for count in 0..<4 {
        let file = head + chunks[..<count].joined()
        let result = try Decryption(file, with: [identity], pieces: [10_000])
        #expect(result.bytes == Array(contents[..<(count * 65_536)]))
        #expect(result.error == .truncated(.payload(wholeChunks: count)))
      }
      let inside = try Decryption(large.dropLast(1), with: [identity], pieces: [10_000])
      #expect(inside.error == .payloadDamaged(chunk: 4, isLast: true))
      #expect(inside.bytes == Array(contents[..<(3 * 65_536)]))
    }

    @Test func `chunks that are swapped, repeated or left out are noticed`() throws {
      let (head, chunks) = parts
      for order in [[1, 0, 2, 3], [0, 2, 3], [0, 0, 1, 2, 3], [0, 2, 1, 3], [3], [1, 2, 3]] {
        let file = head + order.map { chunks[$0] }.joined()
        let result = try Decryption(file, with: [identity], pieces: [1 << 20])
        let intact = zip(order, 0...).prefix { $0.0 == $0.1 }.count
        #expect(result.bytes == Array(contents[..<(intact * 65_536)]))
        #expect(
          result.error == .payloadDamaged(chunk: intact + 1, isLast: order[intact] == 3))
      }
      let other = try Age.encrypt(contents, to: [identity.recipient])
      let mixed = large[..<(184 + 65_552)] + other[(184 + 65_552)...]
      #expect(throws: AgeError.payloadDamaged(chunk: 2, isLast: false)) {
        try Age.decrypt(Array(mixed), with: [identity])
      }
    }

    @Test func `bytes after the end are noticed`() throws {
      let full = try Age.encrypt(Array(contents[..<65_536]), to: [identity.recipient])
      let result = try Decryption(full + [1], with: [identity], pieces: [100])
      #expect(result.bytes == Array(contents[..<65_536]))
      #expect(result.error == .trailingBytes(chunks: 1))
    }

    @Test(arguments: Seeds.sample(100))
    func `a flipped bit of a large file names its chunk`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      var file = large
      let index = Int.random(in: 184..<file.count, using: &random)
      file[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let chunk = (index - 184) / 65_552
      let result = try Decryption(file, with: [identity], pieces: [50_000])
      #expect(result.bytes == Array(contents[..<(chunk * 65_536)]))
      #expect(result.error == .payloadDamaged(chunk: chunk + 1, isLast: chunk == 3))
    }

    @Test func `files of other kinds are recognized`() throws {
      let armored = "-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVuY3J5cHRpb24ub3JnL3YxCg==\n"
      let cases: [(String, AgeError)] = [
        ("", .notAnAgeFile), ("age-encryption.org", .notAnAgeFile), ("<gpx></gpx>", .notAnAgeFile),
        ("\n", .notAnAgeFile), (armored, .armored), (" \r\n\n\(armored)", .armored),
        (String(repeating: "\n", count: 50), .notAnAgeFile),
        (String(repeating: "\n", count: 100_000), .notAnAgeFile),
        // Found by the fuzzer: what is after the first bytes makes no difference.
        (armored.dropLast(2) + String(repeating: "x", count: 200), .armored),
        ("age-encryption.org/v2\nanything", .unsupportedVersion),
        ("age-encryption.org/v1\n", .truncated(.header)),
        (
          "age-encryption.org/v1\n--- \(String(repeating: "A", count: 43))\n",
          .headerDamaged(line: 2, problem: .noStanzas)
        ),
      ]
      for (text, error) in cases {
        for pieces in [[1], [1_000_000]] {
          let result = try Decryption(Array(text.utf8), with: [identity], pieces: pieces)
          #expect(result.error == error, "\(text.prefix(30))")
        }
      }
    }

    @Test func `a header without an end is refused before it fills the memory`() throws {
      let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
      let decryptor = AgeDecryptor(with: [identity])
      var taken = 0
      #expect(throws: AgeError.headerDamaged(line: 2, problem: .tooLong)) {
        try Array("age-encryption.org/v1\n-> ".utf8).withUnsafeBytes {
          try decryptor.append($0) { _ in }
        }
        while taken < 10 << 20 {
          try line.withUnsafeBytes { try decryptor.append($0) { _ in } }
          taken += line.count
        }
      }
      #expect(taken < AgeError.longestHeaderBytes)
    }
  }
#endif
