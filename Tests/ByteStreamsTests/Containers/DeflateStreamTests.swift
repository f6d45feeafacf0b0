import TestSupport
import Testing

@testable import ByteStreams

@Suite struct DeflateStreamTests {
  private static func text(_ count: Int, using random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 97...104, using: &random) }
  }

  @Test(arguments: Seeds.sample(10))
  func `one stream gives the bytes of a new zlib for each string`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let level = Int.random(in: 0...9, using: &random)
    let gzip = try DeflateStream(.gzip, level: level)
    let raw = try DeflateStream(.raw, level: level)
    for count in [0, 1, 300_000, 17, Int.random(in: 0...100_000, using: &random)] {
      let bytes = Self.text(count, using: &random)
      #expect(gzip.compress(bytes) == Deflate.gzip(bytes, level: Int32(level)))
      #expect(raw.compress(bytes) == Deflate.raw(bytes, level: Int32(level)))
    }
  }

  @Test func `pieces of any size expand to the whole`() throws {
    var random = SplitMix64(seed: 2)
    let bytes = Self.text(200_000, using: &random)
    let stream = try DeflateStream(.zlib)
    var packed: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...5_000, using: &random))
      piece.withUnsafeBytes { stream.write($0) { packed += $0 } }
      rest = rest.dropFirst(piece.count)
    }
    stream.finish { packed += $0 }
    #expect(packed.count < bytes.count / 2)
    #expect(packed.withUnsafeBytes { ZlibHead.expand($0, atMost: 300_000) } == bytes)
  }

  @Test func `checksums can be continued`() {
    let bytes = Array("123456789".utf8)
    // The check value of CRC-32 in the catalog of CRC algorithms.
    #expect(bytes.withUnsafeBytes { CRC32.continued(0, with: $0) } == 0xCBF4_3926)
    let first = bytes[..<4].withUnsafeBytes { CRC32.continued(0, with: $0) }
    #expect(bytes[4...].withUnsafeBytes { CRC32.continued(first, with: $0) } == 0xCBF4_3926)
    #expect([UInt8]().withUnsafeBytes { CRC32.continued(0, with: $0) } == 0)
  }
}
