import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

@Suite struct FogPainterTests {
  private static let black = PixelColor(red: 0, green: 0, blue: 0, alpha: 178)

  private static func discs(_ points: [Coordinate], radius: Double = 150) -> DiscIndex {
    DiscIndex(radiusMeters: radius, centers: points.map { ($0.latitudeE7, $0.longitudeE7) })
  }

  /// The great-circle distance in meters from the center of a pixel to a point.
  private static func meters(
    from tile: MapTile, row: Int, column: Int, side: Int, to point: Coordinate
  ) -> Double {
    let world = Double(side << tile.zoom)
    let longitude = (Double(tile.x * side + column) + 0.5) / world * 2 * .pi - .pi
    let latitude = atan(sinh(.pi * (1 - 2 * (Double(tile.y * side + row) + 0.5) / world)))
    let other = (
      latitude: point.latitudeDegrees * .pi / 180, longitude: point.longitudeDegrees * .pi / 180
    )
    let north = sin((latitude - other.latitude) / 2)
    let east = sin((longitude - other.longitude) / 2)
    let square = north * north + cos(latitude) * cos(other.latitude) * east * east
    return 2 * DiscRaster.sphereMeters * asin(min(1, square.squareRoot()))
  }

  /// How clear each pixel is, from its distance on the ground to every disc.
  private static func slowShares(
    of tile: MapTile, side: Int, _ points: [Coordinate], edgeMeters: Double
  ) -> [Double] {
    (0..<side * side).map { index in
      let (row, column) = (index / side, index % side)
      let y = .pi * (1 - 2 * (Double(tile.y * side + row) + 0.5) / Double(side << tile.zoom))
      let pixelMeters =
        2 * .pi * DiscRaster.sphereMeters / cosh(y) / Double(side << tile.zoom)
      let ramp = max(edgeMeters, pixelMeters)
      return points.map { point in
        let distance = meters(from: tile, row: row, column: column, side: side, to: point)
        return max(0, min(1, (150 - distance) / ramp + 0.5))
      }.max() ?? 0
    }
  }

  @Test func `discs and the areas of days are on the sphere of the coverage`() throws {
    let radius = AuthalicSphere.radiusMeters
    #expect(abs(DiscRaster.sphereMeters - radius) <= 0.05)
    // `findDays` of the page's worker.
    let script = MapPageFile.worker.text
    let start = try #require(script.range(of: "const sphere = ")).upperBound
    let kilometers = try #require(Double(script[start...].prefix { $0 != ";" }))
    #expect(abs(kilometers * 1_000 - radius) <= 0.05)
  }

  @Test(arguments: Seeds.sample(12), [0.0, 80])
  func `a pixel is clear by its distance to the nearest disc`(seed: UInt64, edge: Double) throws {
    var random = SplitMix64(seed: seed)
    let walk = try SampleWalk(seed: seed, radius: 150, steps: 25)
    let ground = FogGround(walk.coverage, discs: Self.discs(walk.points))
    for zoom in [13, 14, 15, 17] {
      let tile = try walk.tile(zoom: zoom, using: &random)
      let painter = FogPainter(ground, fog: Self.black, edgeMeters: edge, side: 64)
      let found = painter.shares(of: tile) ?? [UInt8](repeating: 0, count: 64 * 64)
      let expected = Self.slowShares(of: tile, side: 64, walk.points, edgeMeters: edge)
      for (found, expected) in zip(found, expected) {
        #expect(abs(Double(found) - expected * 255) <= 4, "zoom \(zoom)")
      }
    }
  }

  @Test func `far away, where a disc is smaller than a pixel, discs look like cells`() throws {
    let walk = try SampleWalk(seed: 1, radius: 150)
    let discs = FogPainter(
      FogGround(walk.coverage, discs: Self.discs(walk.points)), fog: Self.black, edgeMeters: 0,
      side: 256)
    let cells = FogPainter(
      FogGround(walk.coverage), fog: Self.black, edgeMeters: 0, side: 256)
    for zoom in 0...10 {
      let tile = try SampleWalk.tile(
        zoom: zoom, latitudeDegrees: walk.points[0].latitudeDegrees,
        longitudeDegrees: walk.points[0].longitudeDegrees)
      #expect(discs.shares(of: tile) == cells.shares(of: tile))
      #expect(discs.png(tile) == cells.png(tile))
    }
  }

  @Test func `no disc is drawn in a hidden box`() throws {
    let point = Coordinate(10, 20)
    let box = FogGround.Box(latitudes: 9.99...10.01, longitudes: 20...20.01)
    let ground = FogGround(Coverage(), discs: Self.discs([point]), hidden: [box])
    let painter = FogPainter(ground, fog: Self.black, edgeMeters: 40, side: 256)
    let tile = try SampleWalk.tile(zoom: 16, latitudeDegrees: 10, longitudeDegrees: 20)
    let shares = try #require(painter.shares(of: tile))
    let world = Double(256 << 16)
    for index in shares.indices where shares[index] > 0 {
      let west = (Double(tile.x * 256 + index % 256) / world - 0.5) * 360
      #expect(west + 360 / world <= 20, "a pixel at \(west) is clear")
    }
    let everywhere = FogGround.Box(latitudes: -90...90, longitudes: -180...180)
    let hidden = FogGround(Coverage(), discs: Self.discs([point]), hidden: [everywhere])
    #expect(FogPainter(hidden, fog: Self.black, edgeMeters: 0, side: 256).shares(of: tile) == nil)
  }

  /// Weights of a pyramid: the overlap of two boxes, moved against each other.
  private static func slowMean(
    _ shares: [UInt8], whole: Int, row: Int, column: Int, box: Int
  ) -> Double {
    var sum = 0.0
    for dy in -(box - 1)...(box - 1) {
      for dx in -(box - 1)...(box - 1) {
        let weight = Double((box - abs(dy)) * (box - abs(dx)))
        sum += weight * Double(shares[(row + dy) * whole + column + dx])
      }
    }
    return sum / Double(box * box * box * box)
  }

  @Test(arguments: Seeds.sample(20))
  func `a soft share is the weighted mean of those around it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let side = Int.random(in: 3...20, using: &random)
    let edge = SoftEdge(rampPixels: .random(in: 0...18, using: &random), limit: side)
    let whole = side + 2 * edge.margin
    let shares = (0..<whole * whole).map { _ in
      [0, 255, UInt8.random(in: 0...255, using: &random)][Int.random(in: 0...2, using: &random)]
    }
    let found = edge.middle(of: shares, side: side)
    #expect(found.count == side * side)
    for index in found.indices {
      let expected = Self.slowMean(
        shares, whole: whole, row: index / side + edge.margin,
        column: index % side + edge.margin, box: edge.box)
      #expect(abs(Double(found[index]) - expected) <= 1, "box \(edge.box)")
      #expect((found[index] == 0) == (expected == 0))
      #expect((found[index] == 255) == (expected == 255))
    }
  }

  @Test(arguments: Seeds.sample(6))
  func `soft tiles fit together as if they were cut from one picture`(seed: UInt64) throws {
    let walk = try SampleWalk(seed: seed, radius: 150)
    let ground = FogGround(walk.coverage)
    let small = FogPainter(ground, fog: Self.black, edgeMeters: 300, side: 64)
    let large = FogPainter(ground, fog: Self.black, edgeMeters: 300, side: 128)
    var random = SplitMix64(seed: seed)
    let tile = try walk.tile(zoom: 13, using: &random)
    let whole = large.shares(of: tile) ?? [UInt8](repeating: 0, count: 128 * 128)
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let quarter = try #require(MapTile(zoom: 14, x: 2 * tile.x + dx, y: 2 * tile.y + dy))
      let shares = small.shares(of: quarter) ?? [UInt8](repeating: 0, count: 64 * 64)
      for index in shares.indices {
        let other = whole[(index / 64 + 64 * dy) * 128 + index % 64 + 64 * dx]
        // The width in pixels is that at the middle of the tile.
        #expect(abs(Int(shares[index]) - Int(other)) <= 6)
      }
    }
  }

  @Test func `a soft edge goes on across 180°`() throws {
    var coverage = Coverage()
    coverage.mark(discAround: Coordinate(-17, 179.9995))
    let painter = FogPainter(
      FogGround(coverage), fog: Self.black, edgeMeters: 200, side: 256)
    let last = (1 << 14) - 1
    let east = try SampleWalk.tile(zoom: 14, latitudeDegrees: -17, longitudeDegrees: 179.999)
    #expect(east.x == last)
    let west = try #require(MapTile(zoom: 14, x: 0, y: east.y))
    let left = try #require(painter.shares(of: east))
    let right = try #require(painter.shares(of: west))
    for row in 0..<256 {
      #expect(abs(Int(left[row * 256 + 255]) - Int(right[row * 256])) < 40)
    }
    #expect((0..<256).contains { right[$0 * 256] > 100 })
  }
}
