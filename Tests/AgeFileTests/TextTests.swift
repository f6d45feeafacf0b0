import Foundation
import TestSupport
import Testing

@testable import AgeFile

@Suite struct TextTests {
  @Test(arguments: Seeds.sample(200))
  func `base64 is Foundation's without padding`(seed: UInt64) throws {
    let bytes = [UInt8].random(Int(seed % 100), seed: seed)
    let text = UnpaddedBase64.encode(bytes)
    let padded = Data(bytes).base64EncodedString()
    #expect(String(decoding: text, as: UTF8.self) == padded.replacing("=", with: ""))
    #expect(UnpaddedBase64.decode(text) == bytes)
  }

  @Test func `only the canonical base64 of bytes is read`() {
    // All texts of up to two characters of the alphabet and some others.
    let characters = (0...255).map { UInt8($0) }
    for first in characters {
      for second in characters {
        let text = [first, second]
        if let bytes = UnpaddedBase64.decode(text) {
          #expect(bytes.count == 1 && UnpaddedBase64.encode(bytes) == text)
        }
      }
      #expect(UnpaddedBase64.decode([first]) == nil)
    }
    // One byte has exactly one text.
    let read = characters.flatMap { first in
      characters.compactMap { UnpaddedBase64.decode([first, $0]) }
    }
    #expect(read.map { $0[0] }.sorted() == characters)
    #expect(UnpaddedBase64.decode(Array("QUE=".utf8)) == nil)
    #expect(UnpaddedBase64.decode(Array("QU\nE".utf8)) == nil)
    #expect(UnpaddedBase64.decode([UInt8]()) == [])
  }

  /// Valid texts of BIP 173, with their prefixes.
  @Test(arguments: [
    ("A12UEL5L", "a"),
    (
      "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
      "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio"
    ),
    ("split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "split"),
  ])
  func `the valid examples of Bech32 are read`(text: String, prefix: String) throws {
    let bytes = try Bech32.decode(text, prefix: prefix)
    #expect(Bech32.encode(bytes, prefix: prefix) == text.lowercased())
  }

  /// Invalid texts of BIP 173.
  @Test(arguments: [
    ("x1b4n0q5v", "x"), ("li1dgmt3", "li"), ("A1G7SGD8", "a"), ("pzry9x0s0muk", ""),
    ("1pzry9x0s0muk", "a"), ("de1lg7wt\u{ff}", "de"),
  ])
  func `the invalid examples of Bech32 are refused`(text: String, prefix: String) {
    #expect(throws: AgeError.self) { try Bech32.decode(text, prefix: prefix) }
  }

  @Test(arguments: Seeds.sample(200))
  func `bytes of any number come back from Bech32, in both cases`(seed: UInt64) throws {
    let bytes = [UInt8].random(Int(seed % 60), seed: seed)
    let text = Bech32.encode(bytes, prefix: "key")
    #expect(try Bech32.decode(text, prefix: "key") == bytes)
    #expect(try Bech32.decode(text.uppercased(), prefix: "key") == bytes)
  }

  @Test func `each error is one sentence`() {
    let errors: [AgeError] =
      [
        .cryptographyUnavailable(needs: "libsodium"), .notEnoughMemory, .recipientUnusable,
        .noRecipients, .notAnAgeFile, .armored, .unsupportedVersion, .noIdentityMatches,
        .headerAuthenticationFailed, .payloadDamaged(chunk: 3, isLast: false),
        .payloadDamaged(chunk: 3, isLast: true), .trailingBytes(chunks: 2), .truncated(.header),
        .truncated(.payload(wholeChunks: 2)),
      ]
      + [.prefix(expected: "age1"), .character(position: 3), .mixedCase, .checksum, .length].map {
        .keyDamaged($0)
      }
      + [
        .carriageReturn, .lineStart, .argument, .base64, .noStanzas, .stanza(type: "X25519"),
        .keyLength(type: "X25519"), .passphraseNotAlone, .workFactor, .share, .tooLong,
      ].map { .headerDamaged(line: 2, problem: $0) }
    for error in errors {
      let text = error.description
      #expect(text.first?.isUppercase == true && text.last == "." && text.dropLast().last != ".")
    }
    #expect(Set(errors.map(\.description)).count == errors.count)
  }
}
