import TestSupport
import Testing

@testable import ByteStreams

@Suite struct HMACSHA256Tests {
  /// The cases 1 to 4, 6 and 7 of RFC 4231, sections 4.2 to 4.8.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      """
      This is a test using a larger than block-size key and a larger than block-size data. The key \
      needs to be hashed before being used by the HMAC algorithm.
      """, "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func `the examples of RFC 4231 have their codes`(key: [UInt8], message: String, code: String) {
    let result = HMACSHA256.code(for: Array(message.utf8), key: key)
    #expect(Self.hexadecimal(result) == code)
  }

  @Test func `the examples of RFC 4231 that are no text have their codes`() {
    let third = HMACSHA256.code(
      for: [UInt8](repeating: 0xdd, count: 50), key: [UInt8](repeating: 0xaa, count: 20))
    #expect(
      Self.hexadecimal(third) == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
    let fourth = HMACSHA256.code(
      for: [UInt8](repeating: 0xcd, count: 50), key: (1...25).map { UInt8($0) })
    #expect(
      Self.hexadecimal(fourth) == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    )
  }

  /// The definition, H((K ^ opad) || H((K ^ ipad) || message)), with whole messages.
  @Test(arguments: Seeds.sample(100))
  func `the code is that of the definition, in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let key = (0..<Int.random(in: 0...140, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let message = (0..<Int.random(in: 0...300, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    var block = key.count > 64 ? SHA256.digest(of: key) : key
    while block.count < 64 { block.append(0) }
    let inner = SHA256.digest(of: block.map { $0 ^ 0x36 } + message)
    let expected = SHA256.digest(of: block.map { $0 ^ 0x5c } + inner)
    var code = HMACSHA256(key: key)
    var rest = message[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &random)
      code.update(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(code.finalize() == expected)
    #expect(HMACSHA256.areEqual(code.finalize(), expected))
    var other = expected
    other[Int.random(in: 0..<32, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    #expect(!HMACSHA256.areEqual(other, expected))
    #expect(!HMACSHA256.areEqual(Array(expected.dropLast()), expected))
  }

  /// Cases 1 to 3 of RFC 5869, appendix A.
  @Test func `the examples of RFC 5869 give their keys`() {
    let first = HKDFSHA256.key(
      from: [UInt8](repeating: 0x0b, count: 22), salt: (0...12).map { UInt8($0) },
      info: (0xf0...0xf9).map { UInt8($0) }, byteCount: 42)
    #expect(
      Self.hexadecimal(first)
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    let second = HKDFSHA256.key(
      from: (0...0x4f).map { UInt8($0) }, salt: (0x60...0xaf).map { UInt8($0) },
      info: (0xb0...0xff).map { UInt8($0) }, byteCount: 82)
    #expect(
      Self.hexadecimal(second) == """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6\
        5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
        """)
    let third = HKDFSHA256.key(from: [UInt8](repeating: 0x0b, count: 22), info: [], byteCount: 42)
    #expect(
      Self.hexadecimal(third)
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
