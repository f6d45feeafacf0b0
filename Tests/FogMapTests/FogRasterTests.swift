import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

/// A walk with fields of cells, and the tiles around it.
struct SampleWalk {
  let coverage: Coverage
  let points: [Coordinate]

  static let starts = [
    (48.1, 11.5), (-33.9, 18.4), (0.001, -0.01), (71.2, 179.99), (-16.8, 179.985), (85.05, 20.0),
    (-85.04, -60.0), (51.5, -179.95),
  ]

  init(seed: UInt64, radius: Double? = nil, steps: Int = 60) throws {
    var random = SplitMix64(seed: seed)
    let (latitude, longitude) = Self.starts[Int(seed % UInt64(Self.starts.count))]
    let radius = radius ?? [150.0, 150, 20, 1_000, 777.777, 60_000][Int(seed / 3 % 6)]
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: radius))
    var points: [Coordinate] = []
    var (north, east) = (latitude, longitude)
    for _ in 0..<steps {
      north = max(-90, min(90, north + .random(in: -0.004...0.004, using: &random) * radius / 150))
      east += .random(in: -0.003...0.006, using: &random) * radius / 150
      points.append(
        try Coordinate(
          latitudeDegrees: north, longitudeDegrees: east.remainder(dividingBy: 360)))
    }
    coverage.mark(contentsOf: points)
    self.coverage = coverage
    self.points = points
  }

  /// The tile that contains a position, or the one next to it at the edge of the map.
  static func tile(zoom: Int, latitudeDegrees: Double, longitudeDegrees: Double) throws -> MapTile {
    let count = Double(1 << zoom)
    let limit = WebMercator.latitudeLimit
    let angles = Angles(
      latitude: max(-limit, min(limit, latitudeDegrees * .pi / 180)),
      longitude: longitudeDegrees * .pi / 180)
    let place = try #require(WebMercator.point(of: angles))
    let x = Int((place.x / .pi + 1) / 2 * count)
    let y = Int((1 - place.y / .pi) / 2 * count)
    let last = (1 << zoom) - 1
    return try #require(MapTile(zoom: zoom, x: max(0, min(last, x)), y: max(0, min(last, y))))
  }

  /// A tile that contains one of the points, or its neighbor to the east or west.
  func tile(zoom: Int, using random: inout SplitMix64) throws -> MapTile {
    let point = points[Int.random(in: 0..<points.count, using: &random)]
    let tile = try Self.tile(
      zoom: zoom, latitudeDegrees: point.latitudeDegrees, longitudeDegrees: point.longitudeDegrees)
    let shift = Bool.random(using: &random) ? 0 : Int.random(in: -1...1, using: &random)
    return MapTile(zoom: zoom, x: tile.x + shift, y: tile.y) ?? tile
  }
}

@Suite struct FogRasterTests {
  /// Shares within a unit of the renderer's, and 0 and 255 in the same places.
  static func matches(_ found: [UInt8], _ expected: [UInt8]) -> Bool {
    found.count == expected.count
      && zip(found, expected).allSatisfy { found, expected in
        abs(Int(found) - Int(expected)) <= 1 && (found == 0) == (expected == 0)
          && (found == 255) == (expected == 255)
      }
  }

  @Test(arguments: Seeds.sample(24))
  func `one raster gives the renderer's shares for tile after tile`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let walk = try SampleWalk(seed: seed)
    let renderer = TileRenderer(walk.coverage)
    for side in [256, Int.random(in: 1...40, using: &random)] {
      let raster = FogRaster(walk.coverage, side: side)
      for zoom in 0...18 {
        let tile = try walk.tile(zoom: zoom, using: &random)
        let content = raster.render(tile)
        let shares = renderer.shares(of: tile, pixels: side)
        let expected = shares ?? [UInt8](repeating: 0, count: side * side)
        #expect(Self.matches(raster.shares, expected), "zoom \(zoom) side \(side)")
        #expect((content == .fogged) == (shares == nil))
        #expect((content == .explored) == expected.allSatisfy { $0 == 255 })
      }
    }
  }

  @Test func `a tile inside an explored field is explored`() throws {
    var coverage = Coverage()
    coverage.mark(
      contentsOf: try (0..<80).map {
        try Coordinate(
          latitudeDegrees: 10 + Double($0 / 20) * 0.001,
          longitudeDegrees: 20 + Double($0 % 20) * 0.001)
      })
    let raster = FogRaster(coverage)
    let tile = try SampleWalk.tile(zoom: 18, latitudeDegrees: 10.002, longitudeDegrees: 20.01)
    #expect(raster.render(tile) == .explored)
    let far = try #require(MapTile(zoom: 18, x: 0, y: 0))
    #expect(raster.render(far) == .fogged)
    #expect(FogRaster(Coverage()).render(tile) == .fogged)
  }
}
