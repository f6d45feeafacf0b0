import ByteStreams
import TestSupport
import Testing

@testable import FogMap

@Suite struct PNGEncoderTests {
  private static func encode(_ format: PNGFormat, _ rows: [[UInt8]], level: Int = 6) throws
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    let encoder = try PNGEncoder(format, level: level) { bytes += $0 }
    for row in rows { encoder.append(row) }
    encoder.finish()
    return bytes
  }

  /// Rows that are noise, slopes, or copies of the row before.
  private static func rows(_ format: PNGFormat, using random: inout SplitMix64) -> [[UInt8]] {
    var rows: [[UInt8]] = []
    for _ in 0..<format.height {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        rows.append((0..<format.rowBytes).map { _ in .random(in: 0...255, using: &random) })
      case 1: rows.append((0..<format.rowBytes).map { UInt8(truncatingIfNeeded: $0 * 3) })
      default: rows.append(rows.last ?? [UInt8](repeating: 7, count: format.rowBytes))
      }
    }
    return rows
  }

  @Test(arguments: Seeds.sample(30))
  func `a reader written from the specification finds the same pixels`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (width, height) = (
      Int.random(in: 1...70, using: &random), Int.random(in: 1...20, using: &random)
    )
    for (pixels, channels) in [(PNGFormat.Pixels.gray, 1), (.grayAlpha, 2), (.rgba, 4)] {
      let format = try #require(PNGFormat(width: width, height: height, pixels: pixels))
      let rows = Self.rows(format, using: &random)
      let read = try PNGReader(
        try Self.encode(format, rows, level: Int.random(in: 0...9, using: &random)))
      #expect(read.width == width && read.height == height && read.depth == 8)
      let expected = rows.flatMap { row in
        (0..<width).map { column -> [UInt8] in
          let part = Array(row[channels * column..<channels * (column + 1)])
          switch channels {
          case 1: return [part[0], part[0], part[0], 255]
          case 2: return [part[0], part[0], part[0], part[1]]
          default: return part
          }
        }
      }
      #expect(read.pixels == expected)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 256])
  func `indexes have as few bits as their colors need`(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let colors = (0..<count).map { index in
      PixelColor(
        red: .random(in: 0...255, using: &random), green: UInt8(index), blue: 3,
        alpha: .random(in: 250...255, using: &random))
    }
    let (width, height) = (37, 5)
    let format = try #require(
      PNGFormat(width: width, height: height, pixels: .palette(colors)))
    let bits = [1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 16: 4, 17: 8, 256: 8][count]
    #expect(format.bitsPerPixel == bits)
    let indexes = (0..<width * height).map { _ in Int.random(in: 0..<count, using: &random) }
    let rows = (0..<height).map { row in
      var bytes = [UInt8](repeating: 0, count: format.rowBytes)
      for column in 0..<width {
        let bit = column * format.bitsPerPixel
        bytes[bit / 8] |= UInt8(
          indexes[row * width + column] << (8 - format.bitsPerPixel - bit % 8))
      }
      return bytes
    }
    let read = try PNGReader(try Self.encode(format, rows))
    #expect(read.filters.allSatisfy { $0 == 0 })
    #expect(
      read.pixels
        == indexes.map {
          [colors[$0].red, colors[$0].green, colors[$0].blue, colors[$0].alpha]
        })
  }

  @Test func `a filter is chosen for each row`() throws {
    let format = try #require(PNGFormat(width: 200, height: 3, pixels: .gray))
    let slope = (0..<200).map { UInt8($0) }
    let noise = slope.map { $0 &* $0 &* 37 &+ 91 }
    let read = try PNGReader(try Self.encode(format, [slope, noise, noise]))
    #expect(read.filters[0] == 1 && read.filters[2] == 2)
  }

  @Test func `pixels beyond a chunk's size go on in the next one`() throws {
    var random = SplitMix64(seed: 5)
    let format = try #require(PNGFormat(width: 300, height: 300, pixels: .rgba))
    let rows = (0..<300).map { _ in
      (0..<1_200).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    let bytes = try Self.encode(format, rows, level: 1)
    #expect(bytes.count > 300_000)
    #expect(try PNGReader(bytes).pixels.flatMap { $0 } == rows.flatMap { $0 })
  }

  @Test func `there is no picture of this size, or without colors`() {
    for (width, height) in [(0, 1), (1, 0), (65_536, 1), (1, 65_536), (-1, 1)] {
      #expect(PNGFormat(width: width, height: height, pixels: .gray) == nil)
    }
    let color = PixelColor(red: 0, green: 0, blue: 0)
    for count in [0, 257] {
      let colors = [PixelColor](repeating: color, count: count)
      #expect(PNGFormat(width: 1, height: 1, pixels: .palette(colors)) == nil)
    }
  }
}
