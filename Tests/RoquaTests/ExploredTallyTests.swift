import GeoStore
import Geocode
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// All cores divide tiles by place; the sums are those of one core, to the last bit.
@Suite struct ExploredTallyTests {
  private static func tiles(_ seed: UInt64, count: Int) throws -> [(key: Int64, tile: Tile)] {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage()
    while coverage.tileKeys.count < count {
      let (latitude, longitude) = (
        Double.random(in: 36...60, using: &random), Double.random(in: -9...30, using: &random)
      )
      for step in 0..<4 {
        coverage.mark(
          discAround: try Coordinate(
            latitudeDegrees: latitude + 0.01 * Double(step),
            longitudeDegrees: longitude + 0.02 * Double(step)))
      }
    }
    return coverage.tiles.map { ($0.key, $0.tile) }
  }

  @Test(arguments: Seeds.sample(2))
  func `tiles added together are tiles added one by one`(seed: UInt64) throws {
    let geocoder = try Geocoder.bundled
    let grid = Grid.standard
    let tiles = try Self.tiles(seed, count: 700)
    var tally = ExploredTally(
      grid: grid, geocoder: geocoder, breakdowns: [.country, .region, .city])
    for (key, tile) in tiles { tally.add(tile, at: key) }
    let sums = tally.finish()
    #expect(sums.places.count == 3)
    for (level, ground) in sums.places {
      var slow = GroundTally(grid: grid, geocoder: geocoder, level: level)
      for (key, tile) in tiles { slow.add(tile, at: key) }
      #expect(ground.grounds == slow.grounds && ground.grounds.count > 5)
      #expect(ground.total == slow.total)
    }
    #expect(sums.totals.totals.cells == tiles.reduce(0) { $0 + $1.tile.count })
  }

  @Test(arguments: [PlaceLevel.country, .region, nil], [false, true])
  func `full tiles added together are full tiles added one by one`(
    level: PlaceLevel?, isLandOnly: Bool
  ) throws {
    let geocoder = try Geocoder.bundled
    let grid = Grid.standard
    // Coasts, islands and borders, land and the open sea.
    let keys = try grid.tileKeys(touching: BoundingBox(south: 44, west: 12, north: 47, east: 16))
      .sorted()
    var tally = GroundTally(grid: grid, geocoder: geocoder, level: level, isLandOnly: isLandOnly)
    tally.addAllCells(ofTiles: keys)
    var slow = GroundTally(grid: grid, geocoder: geocoder, level: level, isLandOnly: isLandOnly)
    for key in keys { slow.add(grid.fullTile(at: key), at: key) }
    #expect(keys.count > 1_000 && tally.total == slow.total)
    #expect(tally.grounds == slow.grounds && tally.grounds.count > (level == nil ? 0 : 3))
  }
}
