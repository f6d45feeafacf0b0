import GeoStore
import Geocode
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Tiles cut row by row, compared with a lookup for each cell.
@Suite struct TileCutterTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  /// Places where tiles have many parts: coasts, borders, islands, tripoints, ±180°, and land
  /// outside any region's polygon.
  private static let lively: [(Double, Double)] = [
    (47.59, 7.59), (49.6, 6.13), (43.94, 12.46), (18.05, -76.75), (35.9, 14.4), (-16.8, 179.98),
    (-16.8, -179.98),
    (41.02, 28.98), (52.4, 4.9), (22.3, 114.1), (1.3, 103.8), (-17.8, 25.26), (49.19, -2.11),
    (68.2, 14.6),
    (60.2, 20.0), (-54.8, -68.3), (78.2, 15.6), (89.99, 0), (-89.99, 10),
  ]

  private static let radii: [Double] = [20, 150, 150, 1_000, 20_000]

  private func check(_ tile: Tile, at key: Int64, _ grid: Grid, _ level: PlaceLevel?) throws {
    var cutter = TileCutter(grid: grid, geocoder: geocoder, level: level, isLandOnly: false)
    var landCutter = TileCutter(grid: grid, geocoder: geocoder, level: level, isLandOnly: true)
    let parts = cutter.parts(of: tile, at: key)
    let landParts = landCutter.parts(of: tile, at: key)
    var limits = CityLimits(geocoder: geocoder)
    var sum = Tile()
    for part in parts {
      #expect(part.tile.intersection(sum).isEmpty, "no cell twice")
      sum = sum.union(part.tile)
    }
    #expect(sum == tile, "every cell once")
    let first = grid.firstCell(ofTile: key)
    for row in 0..<64 {
      for column in 0..<64 where tile[row: row] >> UInt64(column) & 1 == 1 {
        let cell = Cell(row: first.row + Int32(row), column: first.column + Int32(column))
        let center = try #require(grid.centerCoordinate(of: cell))
        let place = PlaceKey(at: center, level: level, geocoder: geocoder)
        let isLand =
          geocoder.isLand(at: center) && place.city.map { limits.hold(center, of: $0) } ?? true
        func holds(_ part: TilePart) -> Bool {
          part.tile[row: row] >> UInt64(column) & 1 == 1 && part.place == place
            && part.isLand == isLand
        }
        if !parts.contains(where: holds) { Issue.record("\(center) is \(place), land \(isLand)") }
        if landParts.contains(where: holds) != isLand { Issue.record("\(center) as land only") }
      }
    }
  }

  @Test(arguments: [PlaceLevel?.none, .country, .region, .city], Seeds.sample(2))
  func `every cell gets the place and land flag of its center`(level: PlaceLevel?, seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    for _ in 0..<(level == .city ? 6 : 16) {
      let radius = Self.radii[Int.random(in: 0..<Self.radii.count, using: &random)]
      let grid = try Grid(explorationRadiusMeters: radius)
      let place = Self.lively[Int.random(in: 0..<Self.lively.count, using: &random)]
      let reach = 40 * grid.stepDegrees
      let latitude = place.0 + Double.random(in: -reach...reach, using: &random)
      let longitude = place.1 + Double.random(in: -reach...reach, using: &random)
      let point = Coordinate(max(-90, min(90, latitude)), max(-180, min(179.999, longitude)))
      let key = grid.tileKey(of: grid.cell(containing: point))
      // Some rows are sparse, some full, some empty, as in the coverage of real tracks.
      var tile = grid.fullTile(at: key)
      for row in 0..<64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: tile[row: row] = 0
        case 1: tile[row: row] &= UInt64.random(in: 0...UInt64.max, using: &random)
        default: break
        }
      }
      if tile.isEmpty { continue }
      try check(tile, at: key, grid, level)
    }
  }

  @Test func `a cutter reused for neighboring tiles gives the same answers as a new one`() throws {
    // A cutter caches what it read last; a tile must not see data of another tile.
    let grid = Grid.standard
    var cutter = TileCutter(grid: grid, geocoder: geocoder, level: .region, isLandOnly: false)
    let home = grid.tileKey(of: grid.cell(containing: Coordinate(43.94, 12.46)))
    for key in [home, home + 1, home + Int64(grid.tileColumnCount), home] {
      var fresh = TileCutter(grid: grid, geocoder: geocoder, level: .region, isLandOnly: false)
      let tile = grid.fullTile(at: key)
      let (kept, new) = (cutter.parts(of: tile, at: key), fresh.parts(of: tile, at: key))
      #expect(kept.map(\.place) == new.map(\.place) && kept.map(\.tile) == new.map(\.tile))
    }
  }
}
