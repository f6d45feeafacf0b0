import TestSupport
import Testing

@testable import ByteStreams

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      """
      abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmno\
      pqrsmnopqrstnopqrstu
      """,
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `the examples of the standard have their digests`(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: text.utf8) == digest)
  }

  @Test func `the digest of a million letters a is right`() {
    #expect(
      SHA256.hexadecimal(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// The digest of the digests of 0, 1 … 200 bytes (byte i of each is 7i + length mod 256),
  /// computed with Python's hashlib. It covers all paddings, with one and with two blocks.
  @Test func `every length around the block size has the right padding`() {
    var all = SHA256()
    for length in 0...200 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 7 * $0 + length) }
      Array(SHA256.hexadecimal(of: bytes).utf8).withUnsafeBytes { all.update($0) }
    }
    #expect(
      all.finalizeHexadecimal()
        == "de444fd33c2915b23d3772a4de9aa249a9206ee2f93688a74e332e160c085f41")
  }

  @Test(arguments: Seeds.sample(20))
  func `pieces of any size give the digest of the whole`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...1_000, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    var hash = SHA256()
    var position = 0
    while position < bytes.count {
      let count = min(bytes.count - position, Int.random(in: 0...150, using: &random))
      bytes[position..<position + count].withUnsafeBytes { hash.update($0) }
      position += count
      _ = hash.finalize()  // asking in between changes nothing
    }
    #expect(hash.finalizeHexadecimal() == SHA256.hexadecimal(of: bytes))
  }

  @Test(arguments: Seeds.sample(20))
  func `blocks hashed in Swift and by the processor give the same state`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let blocks = (0..<Int.random(in: 0...5, using: &random) * 64).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    var (swift, processor) = (SHA256(), SHA256())
    blocks.withUnsafeBytes {
      swift.compressInSwift($0)
      processor.compress($0)
    }
    #expect(swift.state == processor.state)
  }

  @Test func `hashing in Swift alone gives the standard's first example`() {
    let block = Array("abc".utf8) + [0x80] + [UInt8](repeating: 0, count: 59) + [24]
    var hash = SHA256()
    block.withUnsafeBytes { hash.compressInSwift($0) }
    #expect(hash.state[0] == 0xba78_16bf)
    #expect(hash.state[7] == 0xf200_15ad)
  }

  /// The constant of prime p is ⌊2³² · frac(∛p)⌋: the low 32 bits of the largest k with k³ ≤ p ·
  /// 2⁹⁶.
  @Test func `the round constants are cube roots of primes`() {
    let primes = (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }
    #expect(primes.count == 64)
    for (prime, constant) in zip(primes, roundConstants) {
      var (low, high): (UInt128, UInt128) = (1 << 32, 1 << 36)
      while high - low > 1 {
        let middle = (low + high) / 2
        if middle * middle * middle <= UInt128(prime) << 96 { low = middle } else { high = middle }
      }
      #expect(UInt32(truncatingIfNeeded: low) == constant)
    }
  }
}
