import ByteStreams
import TestSupport
import Testing

@testable import FogMap

@Suite struct PictureFileTests {
  private static func rows(_ width: Int, _ height: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<3 * width * height).map { index in
      index % 7 == 0 ? UInt8.random(in: 0...255, using: &random) : UInt8(index / (3 * width) & 255)
    }
  }

  /// A PNG of strips of up to `most` rows.
  private static func png(
    _ pixels: [UInt8], width: Int, height: Int, rows most: Int
  ) throws -> [UInt8] {
    let format = try #require(PNGFormat(width: width, height: height, pixels: .rgb))
    var writer = PNGStripWriter()
    var bytes = writer.head(format, texts: [])
    for first in stride(from: 0, to: height, by: most) {
      let strip = pixels[3 * width * first..<3 * width * min(first + most, height)]
      // Any number of encoders may share the work.
      let encoder = try PNGStripEncoder(format)
      bytes += writer.append(strip.withUnsafeBytes { encoder.encode($0) })
    }
    return bytes + writer.endFrame() + writer.end()
  }

  @Test(arguments: Seeds.sample(20))
  func `strips of any height are the same picture`(seed: UInt64) throws {
    let (width, height) = (Int(seed) % 13 + 1, Int(seed) % 9 + 1)
    let pixels = Self.rows(width, height, seed: seed)
    for most in [1, 2, 5, 100] {
      let read = try PNGReader(
        try Self.png(pixels, width: width, height: height, rows: most))
      #expect(read.pixels.flatMap { $0[..<3] } == pixels)
    }
  }

  @Test(arguments: Seeds.sample(50))
  func `checksums of parts join to that of the whole`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...70_000, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let cut = Int.random(in: 0...bytes.count, using: &random)
    func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
      bytes.withUnsafeBytes { Adler32.continued(Adler32.empty, with: $0) }
    }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    #expect(checksum(bytes[...]) == high << 16 | low)
    let joined = Adler32.joined(
      checksum(bytes[..<cut]), checksum(bytes[cut...]), count: bytes.count - cut)
    #expect(joined == high << 16 | low)
  }

  @Test func `a film has numbered chunks, and frames in their order`() throws {
    let format = try #require(PNGFormat(width: 4, height: 6, pixels: .rgba))
    let encoder = try PNGStripEncoder(format)
    var writer = PNGStripWriter(animation: PNGStripWriter.Animation(frames: 2))
    var bytes = writer.head(format, texts: [("Title", "Größe")])
    for (y, rows) in [(0, 6), (2, 3)] {
      bytes += writer.begin(
        PNGStripWriter.Frame(x: 0, y: y, width: 4, height: rows, milliseconds: 700))
      let pixels = [UInt8](repeating: 9, count: 16 * rows)
      bytes += writer.append(pixels.withUnsafeBytes { encoder.encode($0) })
      bytes += writer.endFrame()
    }
    bytes += writer.end()
    var (names, sequence, at) = ([String](), [Int](), 8)
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    while at < bytes.count {
      let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      names.append(name)
      if name == "fcTL" || name == "fdAT" { sequence.append(number(at + 8)) }
      if name == "fcTL", sequence.count > 1 {
        #expect([8, 12, 16, 20].map { number(at + 8 + $0 - 4) } == [4, 3, 0, 2])
      }
      if name == "iTXt" {
        #expect(
          Array(bytes[at + 8..<at + 8 + number(at)])
            == Array("Title".utf8) + [0, 0, 0, 0, 0] + Array("Größe".utf8))
      }
      at += 12 + number(at)
    }
    #expect(
      names == [
        "IHDR", "iTXt", "acTL", "fcTL", "IDAT", "IDAT", "fcTL", "fdAT", "fdAT", "IEND",
      ])
    #expect(sequence == Array(0..<sequence.count))
  }

  @Test func `a WebP has its chunks, each of an even length`() {
    let picture = Array("RIFF".utf8) + [21, 0, 0, 0] + Array("WEBPVP8L".utf8) + [1, 0, 0, 0, 7, 0]
    var (still, film) = (
      WebPFile(width: 300, height: 2, isFilm: false), WebPFile(width: 300, height: 2, isFilm: true)
    )
    #expect(still.append(picture) && film.append(picture, milliseconds: 700))
    #expect(!still.append([1, 2, 3]) && !still.append(Array(picture.reversed())))
    for (file, wanted) in [
      (still, ["VP8X", "VP8L", "XMP "]), (film, ["VP8X", "ANIM", "ANMF", "XMP "]),
    ] {
      let bytes = file.bytes(description: "<x/>")
      func number(_ at: Int) -> Int {
        bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      #expect(number(4) == bytes.count - 8 && bytes.count % 2 == 0)
      var (names, at) = ([String](), 12)
      while at < bytes.count {
        names.append(String(decoding: bytes[at..<at + 4], as: UTF8.self))
        at += 8 + (number(at + 4) + 1) / 2 * 2
      }
      #expect(names == wanted && at == bytes.count)
      #expect(Array(bytes[24..<30]) == [43, 1, 0, 1, 0, 0])
    }
  }
}
