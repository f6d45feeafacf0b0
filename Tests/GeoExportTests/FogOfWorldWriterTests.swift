import ByteStreams
import Geodesy
import GridHash
import SeededRandom
import TestSupport
import Testing

@testable import GeoExport

/// The files of Fog of World, compared with tiles that the tests build from the description of the
/// format.
@Suite struct FogOfWorldWriterTests {
  private typealias Plain = TestSupport.FogOfWorldTile
  private typealias Written = GeoExport.FogOfWorldTile

  @Test(arguments: Seeds.sample(12))
  func `A tile with the same pixels has the same bytes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let number = Int.random(in: 0..<512 * 512, using: &random)
    var plain = Plain(number: number)
    var written = Written(row: number / 512, column: number % 512)
    for _ in 0..<Int.random(in: 1...200, using: &random) {
      let y = Int.random(in: 0..<8192, using: &random)
      let x = Int.random(in: 0..<8192, using: &random)
      let end = min(8192, x + Int.random(in: 1...300, using: &random))
      let height = [1, 2, 12, 150].randomElement(using: &random) ?? 1
      let bottom = min(8192, y + height)
      plain.set(x: x..<end, y: y..<bottom)
      written.explore(x..<end, rows: y..<bottom)
    }
    #expect(written.bytes { _ in "DE" } == plain.expanded)
    #expect(written.pixelCount == plain.pixelCount)
    #expect(written.name == plain.name)
  }

  @Test func `Blocks have the letters of the country at their center`() {
    var tile = Written(row: 170, column: 272)
    tile.explore(0..<1, rows: 0..<1)
    var asked: [Coordinate] = []
    let none = tile.bytes {
      asked.append($0)
      return nil
    }
    #expect(none.suffix(3) == [0, 0, 3])
    // The center of the first block of 64 × 64 pixels, 1/65536 of the world wide.
    #expect(abs(asked[0].longitudeDegrees - (272.0 / 512 + 0.5 / 65_536) * 360 + 180) < 1e-6)
    #expect(tile.bytes { _ in "TR" }.suffix(3) == [0xAC, 0xC0, 3])
  }

  @Test(arguments: Seeds.sample(10), [10.0, 20, 150, 5_000])
  func `A pixel is explored if its center lies in an explored cell`(
    seed: UInt64, radius: Double
  ) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: radius)
    let center = try Coordinate(
      latitudeDegrees: Double.random(in: -80...80, using: &random),
      longitudeDegrees: [179.99, -0.01, 77].randomElement(using: &random) ?? 0)
    var coverage = Coverage(grid: grid)
    let cell = grid.cell(containing: center)
    for _ in 0..<(radius > 1_000 ? 2 : 40) {
      let column = Int(cell.column) + Int.random(in: -9...9, using: &random) + grid.columnCount
      coverage.insert(
        Cell(
          row: cell.row + Int32.random(in: -9...9, using: &random),
          column: Int32(column % grid.columnCount)))
    }
    var files: [String: [UInt8]] = [:]
    let writer = try FogOfWorldWriter(grid: grid, country: { _ in "DE" }) { files[$0] = $1 }
    for (key, tile) in coverage.tiles { try writer.add(tile, at: key) }
    try writer.finish()

    let expected = Plain.tiles(of: coverage)
    #expect(Set(files.keys) == Set(expected.map(\.name)))
    for tile in expected {
      let bytes = try #require(files[tile.name])
      #expect(try Self.expanded(bytes) == tile.expanded)
    }
    #expect(writer.pixelCount == expected.reduce(0) { $0 + $1.pixelCount })
  }

  private static func expanded(_ bytes: [UInt8]) throws -> [UInt8] {
    let stream = ZlibStream()
    var expanded: [UInt8] = []
    bytes.withUnsafeBytes { buffer in
      stream.read(buffer) {
        expanded += $0
        return true
      }
    }
    return expanded
  }
}

extension TestSupport.FogOfWorldTile {
  /// The tiles with all pixels whose centers lie in explored cells, found by looking at each pixel
  /// around each cell.
  fileprivate static func tiles(of coverage: Coverage) -> [TestSupport.FogOfWorldTile] {
    var tiles: [Int: TestSupport.FogOfWorldTile] = [:]
    let grid = coverage.grid
    for (key, tile) in coverage.tiles {
      let first = grid.firstCell(ofTile: key)
      for place in 0..<4096 where tile[row: place / 64] >> UInt64(place % 64) & 1 == 1 {
        let cell = Cell(
          row: first.row + Int32(place / 64), column: first.column + Int32(place % 64))
        let bounds = grid.bounds(of: cell)
        let northWest = pixel(latitude: bounds.northDegrees, longitude: bounds.westDegrees)
        let southEast = pixel(latitude: bounds.southDegrees, longitude: bounds.eastDegrees)
        for y in northWest.y - 2...southEast.y + 2
        where grid.rows(ofMercatorRow: y, of: 1 << 22).contains(Int(cell.row)) {
          for x in max(0, northWest.x - 2)...min((1 << 22) - 1, southEast.x + 2)
          where grid.columns(ofMercatorColumn: x, of: 1 << 22).contains(Int(cell.column)) {
            let number = y / 8192 * 512 + x / 8192
            tiles[number, default: .init(number: number)].set(x: x % 8192, y: y % 8192)
          }
        }
      }
    }
    return tiles.values.sorted { $0.number < $1.number }
  }
}
