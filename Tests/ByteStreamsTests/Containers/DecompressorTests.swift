import TestSupport
import Testing

@testable import ByteStreams

@Suite struct DecompressorTests {
  private static let text = SampleBytes.text(lines: 30)
  private static let packed = Deflate.gzip(text)

  @Test(arguments: [0, 1, 2, 9] as [Int32])
  func `gzip of any level expands to the original`(level: Int32) {
    let result = Unpacked.stream(Deflate.gzip(Self.text, level: level))
    #expect(result.bytes == Self.text)
    #expect(result.ending == StreamEnding())
  }

  @Test func `bytes other than gzip are passed through`() {
    for bytes in [[], [0x1F], [0x1F, 0x00, 0x8B], [0x8B, 0x1F], Self.text, Array("$GPGGA".utf8)]
      as [[UInt8]]
    {
      for pieces in [1, 2, .max] {
        let result = Unpacked.stream(bytes, pieces: pieces)
        #expect(result.bytes == bytes)
        #expect(result.ending == StreamEnding())
      }
    }
  }

  @Test func `several members are one stream`() {
    let halves =
      Deflate.gzip(Array(Self.text[..<100])) + Deflate.gzip([])
      + Deflate.gzip(Array(Self.text[100...]))
    for pieces in [1, 3, 64, .max] {
      let result = Unpacked.stream(halves, pieces: pieces)
      #expect(result.bytes == Self.text)
      #expect(result.ending == StreamEnding())
    }
  }

  @Test func `pieces of any size give the same result`() {
    let zeros = [UInt8](repeating: 0, count: 300_000)
    let streams = [
      Self.packed, Self.packed + Self.packed, Self.packed + [0, 0, 0],
      Self.packed + Array("junk".utf8),
      Self.packed + [0x1F], Self.packed + [0x1F, 0x8C], Array(Self.packed.dropLast(3)),
      Deflate.gzip(zeros),
      Self.packed + [0x1F, 0x8B, 7],
    ]
    for stream in streams {
      let whole = Unpacked.stream(stream)
      for pieces in [1, 2, 3, 7, 100, 4_096] {
        #expect(Unpacked.stream(stream, pieces: pieces) == whole)
      }
    }
  }

  @Test func `zeros and junk after the end are ignored with a warning`() {
    for tail in [[0], [UInt8](repeating: 0, count: 512), Array("more".utf8), [0x1F, 0x8C, 1]]
      as [[UInt8]]
    {
      let result = Unpacked.stream(Self.packed + tail)
      #expect(result.bytes == Self.text)
      #expect(result.ending.error == nil)
      #expect(result.ending.warnings.map(\.code) == [.trailingJunk])
    }
  }

  @Test func `a stream truncated anywhere gives its start and a warning`() {
    for length in 2..<Self.packed.count {
      let result = Unpacked.stream(Array(Self.packed[..<length]))
      #expect(result.ending.error == nil)
      #expect(result.ending.warnings.map(\.code) == [.truncated])
      #expect(Self.text.starts(with: result.bytes))
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `a flipped bit is detected or harmless`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      var damaged = Self.packed
      // After the header, whose time, system and name are ignored.
      let at = Int.random(in: 10..<damaged.count, using: &random)
      damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let result = Unpacked.stream(damaged)
      // If the damage makes the stream longer, it looks truncated.
      #expect(result.ending != StreamEnding() || result.bytes == Self.text)
      #expect(Unpacked.stream(damaged, pieces: 5).ending == result.ending)
    }
  }

  @Test func `a wrong checksum or length is an error`() {
    for back in [8, 4] {
      var damaged = Self.packed
      damaged[damaged.count - back] ^= 1
      let result = Unpacked.stream(damaged)
      #expect(result.ending.error?.code == .malformed)
      #expect(result.ending.error?.message.contains("checksum") == true)
    }
  }

  @Test func `a damaged member after a valid one is an error`() {
    var second = Self.packed
    second[second.count - 8] ^= 1
    #expect(Unpacked.stream(Self.packed + second).ending.error?.code == .malformed)
  }

  @Test func `the sink can stop reading`() {
    var decompressor = Decompressor()
    var calls = 0
    let goesOn = Self.packed.withUnsafeBytes { bytes in
      decompressor.read(bytes) { _ in
        calls += 1
        return false
      }
    }
    #expect(!goesOn)
    let again = Self.packed.withUnsafeBytes { bytes in decompressor.read(bytes) { _ in true } }
    #expect(!again && calls == 1)
    #expect(decompressor.finish { _ in true } == StreamEnding())
  }

  // MARK: - Bombs

  /// Counts the output instead of keeping it.
  private func count(_ packed: [UInt8]) -> (bytes: Int, largestPiece: Int, ending: StreamEnding) {
    var decompressor = Decompressor()
    var (bytes, largest) = (0, 0)
    packed.withUnsafeBytes { whole in
      _ = decompressor.read(whole) { piece in
        bytes += piece.count
        largest = max(largest, piece.count)
        return true
      }
    }
    return (bytes, largest, decompressor.finish { _ in true })
  }

  @Test func `a decompression bomb is stopped early, in pieces of bounded size`() {
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    let bomb = Deflate.gzip(repeating: piece, count: 50)
    #expect(bomb.count < 60_000)
    let result = count(bomb)
    #expect(result.ending.error?.code == .tooLarge)
    // One byte expands to 1029, of which 500 are allowed in addition to the free output: reading
    // stops at about twice the free output.
    #expect(result.bytes < 34 << 20)
    #expect(result.largestPiece <= InflateStream.bufferBytes)
  }

  @Test func `a decompression bomb in many members is stopped`() {
    let member = Deflate.gzip(repeating: [UInt8](repeating: 0x20, count: 1 << 20), count: 5)
    let bomb = Array(repeatElement(member, count: 10).joined())
    #expect(count(bomb).ending.error?.code == .tooLarge)
  }

  @Test func `15 MiB of output are always allowed, and a long stream may expand over 200 times`() {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    let small = count(Deflate.gzip(repeating: zeros, count: 15))
    #expect(small.ending == StreamEnding())
    #expect(small.bytes == 15 << 20)

    var random = SplitMix64(seed: 1)
    let noise = (0..<150).map { _ in UInt8.random(in: 0...255, using: &random) }
    let packed = Deflate.gzip(
      repeating: noise + [UInt8](repeating: 0x20, count: 65_000), count: 600)
    let long = count(packed)
    #expect(long.ending == StreamEnding())
    #expect(long.bytes / packed.count > 200)
  }
}
