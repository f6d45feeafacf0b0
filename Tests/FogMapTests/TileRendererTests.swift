import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

/// A slow scan of every cell for every pixel.
private struct SlowShares {
  let cells: [(south: Double, north: Double, west: Double, east: Double)]

  init(_ coverage: Coverage) {
    let step = coverage.grid.stepDegrees
    var cells: [(south: Double, north: Double, west: Double, east: Double)] = []
    for (key, square) in coverage.tiles {
      let columns = coverage.grid.tileColumnCount
      let (row, column) = (Int(key) / columns * 64, Int(key) % columns * 64)
      for bit in 0..<4096 where square[row: bit / 64] >> UInt64(bit % 64) & 1 == 1 {
        func latitude(_ row: Int) -> Double { min(Double(row) * step, 180) - 90 }
        func longitude(_ column: Int) -> Double { min(Double(column) * step, 360) - 180 }
        cells.append(
          (
            latitude(row + bit / 64), latitude(row + bit / 64 + 1),
            longitude(column + bit % 64), longitude(column + bit % 64 + 1)
          ))
      }
    }
    self.cells = cells
  }

  /// The explored share of a pixel, from the textbook formulas.
  func share(_ tile: MapTile, pixels: Int, row: Int, column: Int) -> Double {
    let world = Double(pixels) * pow(2, Double(tile.zoom))
    func longitude(_ x: Double) -> Double { x / world * 360 - 180 }
    func latitude(_ y: Double) -> Double {
      atan(sinh(.pi * (1 - 2 * y / world))) * 180 / .pi
    }
    let (x, y) = (Double(tile.x * pixels + column), Double(tile.y * pixels + row))
    let (west, east) = (longitude(x), longitude(x + 1))
    let (north, south) = (latitude(y), latitude(y + 1))
    func sinus(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    var area = 0.0
    for cell in cells {
      let width = min(cell.east, east) - max(cell.west, west)
      let height = sinus(min(cell.north, north)) - sinus(max(cell.south, south))
      if width > 0, height > 0 { area += width * height }
    }
    return area / ((east - west) * (sinus(north) - sinus(south)))
  }
}

@Suite struct TileRendererTests {
  private static func tile(zoom: Int, containing point: Coordinate) -> MapTile? {
    let count = pow(2, Double(zoom))
    let x = (point.longitudeDegrees + 180) / 360 * count
    let radians = point.latitudeDegrees * .pi / 180
    let y = (1 - asinh(tan(radians)) / .pi) / 2 * count
    let last = Int(count) - 1
    return MapTile(zoom: zoom, x: max(0, min(Int(x), last)), y: max(0, min(Int(y), last)))
  }

  /// A few discs in a row: on land, across ±180°, and at the northern edge of the map.
  private static func walk(
    _ radius: Double, _ start: Coordinate, using random: inout SplitMix64
  ) throws -> (Coverage, [Coordinate]) {
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: radius))
    var points: [Coordinate] = []
    for step in 0..<6 {
      let east =
        start.longitudeDegrees + Double(step) * 0.004 + .random(in: 0...0.001, using: &random)
      let point = try Coordinate(
        latitudeDegrees: start.latitudeDegrees + .random(in: -0.004...0.004, using: &random),
        longitudeDegrees: east.remainder(dividingBy: 360))
      points.append(point)
    }
    coverage.mark(contentsOf: points)
    return (coverage, points)
  }

  @Test(arguments: Seeds.sample(12))
  func `shares are those of a slow scan of every cell, at every zoom`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let starts = [
      (48.1, 11.5), (-33.9, 18.4), (0.001, -0.01), (71.2, 179.99), (-16.8, 179.985),
      (85.05, 20.0), (-85.04, -60.0),
    ]
    let (latitude, longitude) = starts[Int(seed % UInt64(starts.count))]
    let radius = [150.0, 20, 1_000, 777.777][Int(seed / 7 % 4)]
    let (coverage, points) = try Self.walk(
      radius, Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), using: &random)
    let slow = SlowShares(coverage)
    let renderer = TileRenderer(coverage)
    for zoom in 0...18 {
      let point = points[Int.random(in: 0..<points.count, using: &random)]
      let tile = try #require(Self.tile(zoom: zoom, containing: point))
      let pixels = Int.random(in: 3...12, using: &random)
      let shares =
        renderer.shares(of: tile, pixels: pixels)
        ?? [UInt8](repeating: 0, count: pixels * pixels)
      for index in shares.indices {
        let (row, column) = index.quotientAndRemainder(dividingBy: pixels)
        let share = slow.share(tile, pixels: pixels, row: row, column: column)
        let expected = share * 255
        let found = Double(shares[index])
        // A share between 0 and 1 is neither 0 nor 255, so it may be off by one.
        let limit = share > 1e-10 && share < 1 - 1e-10 ? 1.0 : 0.01
        #expect(
          abs(found - expected) <= limit, "zoom \(zoom) pixel \(row) \(column) \(share) \(found)")
        if share < 1e-10 { #expect(found == 0) }
        if share > 1 - 1e-10 { #expect(found == 255) }
        if share > 1e-8, share < 1 - 1e-8 { #expect(found > 0 && found < 255) }
      }
    }
  }

  @Test func `the four tiles below a tile have the same area explored`() throws {
    var random = SplitMix64(seed: 3)
    let (coverage, points) = try Self.walk(
      150, Coordinate(latitudeDegrees: 48, longitudeDegrees: 11), using: &random)
    let renderer = TileRenderer(coverage)
    let tile = try #require(Self.tile(zoom: 13, containing: points[0]))
    let whole = try #require(renderer.shares(of: tile, pixels: 128)).map(Int.init).reduce(0, +)
    var parts = 0
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let part = try #require(MapTile(zoom: 14, x: 2 * tile.x + dx, y: 2 * tile.y + dy))
      parts += renderer.shares(of: part, pixels: 64)?.map(Int.init).reduce(0, +) ?? 0
    }
    #expect(whole > 10_000)
    #expect(abs(whole - parts) <= 2)
  }

  @Test func `a tile where nothing is explored, or without pixels, has no shares`() throws {
    let renderer = TileRenderer(Coverage())
    #expect(renderer.shares(of: try #require(MapTile(zoom: 0, x: 0, y: 0))) == nil)
    var random = SplitMix64(seed: 1)
    let (coverage, _) = try Self.walk(
      150, Coordinate(latitudeDegrees: 48, longitudeDegrees: 11), using: &random)
    let known = TileRenderer(coverage)
    #expect(known.shares(of: try #require(MapTile(zoom: 1, x: 0, y: 0))) == nil)
    #expect(known.shares(of: try #require(MapTile(zoom: 1, x: 1, y: 0)))?.count == 65_536)
    for pixels in [0, -1, 4_097] {
      #expect(known.shares(of: try #require(MapTile(zoom: 1, x: 1, y: 0)), pixels: pixels) == nil)
    }
  }

  @Test(arguments: [(-1, 0, 0), (23, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0)])
  func `there is no tile of these numbers`(zoom: Int, x: Int, y: Int) {
    #expect(MapTile(zoom: zoom, x: x, y: y) == nil)
  }
}
