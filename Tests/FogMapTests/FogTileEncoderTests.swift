import TestSupport
import Testing

@testable import FogMap

@Suite struct FogTileEncoderTests {
  private static let fog = PixelColor(red: 20, green: 30, blue: 40, alpha: 200)

  /// The opacity of a share by the definition, in floating point.
  private static func alpha(_ share: UInt8, _ fog: PixelColor) -> Double {
    Double(fog.alpha) * (1 - Double(share) / 255)
  }

  private static func check(_ png: [UInt8], _ shares: [UInt8], _ fog: PixelColor) throws {
    let read = try PNGReader(png)
    #expect(read.width * read.height == shares.count)
    let isRight = zip(read.pixels, shares).allSatisfy { pixel, share in
      Array(pixel[..<3]) == [fog.red, fog.green, fog.blue]
        && abs(Double(pixel[3]) - Self.alpha(share, fog)) <= 0.5
    }
    #expect(isRight)
  }

  @Test(arguments: Seeds.sample(10))
  func `the tile of shares has fog where they are low`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let walk = try SampleWalk(seed: seed)
    let side = [256, 256, 100, 17, 16, 512][Int(seed % 6)]
    let raster = FogRaster(walk.coverage, side: side)
    let encoder = FogTileEncoder(fog: Self.fog, side: side)
    for zoom in [0, 3, 8, 11, 12, 13, 15, 17] {
      let content = raster.render(try walk.tile(zoom: zoom, using: &random))
      try Self.check(encoder.png(raster, content), raster.shares, Self.fog)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 256])
  func `a tile has as few bits a pixel as its shares need`(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    var fog = Self.fog
    fog.alpha = 255
    let encoder = FogTileEncoder(fog: fog, side: 37)
    var shares = (0..<37 * 37).map { _ in UInt8(Int.random(in: 0..<count, using: &random)) }
    for value in 0..<count { shares[value] = UInt8(value) }
    let png = encoder.encode(shares)
    try Self.check(png, shares, fog)
    #expect(try PNGReader(png).depth == (count > 16 ? 8 : count > 4 ? 4 : count > 2 ? 2 : 1))
  }

  @Test func `tiles of one opacity are small constants`() throws {
    let encoder = FogTileEncoder(fog: Self.fog)
    try Self.check(encoder.fogged, [UInt8](repeating: 0, count: 65_536), Self.fog)
    try Self.check(encoder.clear, [UInt8](repeating: 255, count: 65_536), Self.fog)
    #expect(encoder.fogged.count < 150 && encoder.clear.count < 150)
    #expect(encoder.encode([UInt8](repeating: 0, count: 65_536)) == encoder.fogged)
  }
}
