import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

/// Explored shares of pictures, compared with a slow scan of every cell.
@Suite struct PictureCellsTests {
  private static let starts = [
    (48.1, 11.5), (-33.9, 18.4), (0.001, -0.01), (71.2, 179.99), (-16.8, 179.985), (85.04, 20.0),
    (-85.04, -60.0), (89.97, 10.0), (-89.98, 170.0),
  ]

  private static func coverage(
    _ start: (Double, Double), radius: Double, using random: inout SplitMix64
  ) throws -> Coverage {
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: radius))
    let reach = 4 * radius / 111_000
    for _ in 0..<8 {
      let latitude = max(-90, min(90, start.0 + .random(in: -reach...reach, using: &random)))
      let east = start.1 + .random(in: -reach...reach, using: &random)
      coverage.mark(
        discAround: try Coordinate(
          latitudeDegrees: latitude, longitudeDegrees: east.remainder(dividingBy: 360)))
    }
    return coverage
  }

  /// All shares of a view, band by band.
  private static func shares(
    _ coverage: Coverage, _ view: MapView, width: Int = 23, height: Int = 19, bandHeight: Int
  ) -> [UInt8] {
    let cells = PictureCells(coverage, on: view, bandHeight: bandHeight)
    var shares: [UInt8] = []
    for band in 0..<(height + bandHeight - 1) / bandHeight {
      let sum = AreaSum(width: width, height: bandHeight)
      cells.add(band: band, to: sum)
      for row in 0..<min(bandHeight, height - band * bandHeight) {
        var bytes = [UInt8](repeating: 0, count: width)
        bytes.withUnsafeMutableBufferPointer { _ = sum.write(row: row, to: $0) }
        shares += bytes
      }
    }
    return shares
  }

  /// The edges of all explored cells in degrees.
  private static func cells(
    _ coverage: Coverage
  ) -> [(south: Double, north: Double, west: Double, east: Double)] {
    let step = coverage.grid.stepDegrees
    return coverage.tiles.flatMap { key, square in
      let first = coverage.grid.firstCell(ofTile: key)
      return (0..<4_096).filter { square[row: $0 / 64] >> UInt64($0 % 64) & 1 == 1 }.map { bit in
        let (row, column) = (
          Double(first.row) + Double(bit / 64), Double(first.column) + Double(bit % 64)
        )
        return (
          min(row * step, 180) - 90, min((row + 1) * step, 180) - 90,
          min(column * step, 360) - 180, min((column + 1) * step, 360) - 180
        )
      }
    }
  }

  /// A view of 23 × 19 pixels of the cells, of which the map's center may be far away.
  private static func view(
    _ projection: PictureProjection, center: Angles, cellPixels: Double, step: Double,
    looking start: (Double, Double), using random: inout SplitMix64
  ) -> MapView {
    let scale = cellPixels / (step * .pi / 180)
    let bare = MapView(
      projection, center: center, scale: scale, frame: PictureFrame(width: 0, height: 0))
    let east = (start.1 * .pi / 180 - center.longitude).remainder(dividingBy: 2 * .pi)
    let target = bare.point(latitude: start.0 * .pi / 180, east: east)
    let half = Int(abs(target.y)) + 100
    return MapView(
      projection, center: center, scale: scale,
      frame: PictureFrame(
        x: 11 - Int(target.x) - half + .random(in: -5...5, using: &random),
        y: 9 - Int(target.y) - half + .random(in: -5...5, using: &random),
        width: 2 * half, height: 2 * half))
  }

  @Test(arguments: Seeds.sample(12, of: 72))
  func `in Mercator shares are exactly those of a slow scan of every cell`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let start = Self.starts[Int(seed % UInt64(Self.starts.count))]
    let radius = [150.0, 20, 1_000, 777.777][Int(seed % 4)]
    let coverage = try Self.coverage(start, radius: radius, using: &random)
    // The map may also end among the cells.
    let center = Angles(
      latitude: .random(in: -0.5...0.5, using: &random),
      longitude: ((start.1 + [0, 180, 100][Int(seed % 3)]).remainder(dividingBy: 360)) * .pi / 180)
    let view = Self.view(
      .mercator, center: center, cellPixels: .random(in: 0.05...6, using: &random),
      step: coverage.grid.stepDegrees, looking: start, using: &random)
    let found = Self.shares(coverage, view, bandHeight: Int.random(in: 1...25, using: &random))
    let cells = Self.cells(coverage)
    // Mercator's own formulas, around the center.
    let middle = asinh(tan(view.center.latitude))
    func sinus(_ row: Int) -> Double { tanh(middle + (view.middleRow - Double(row)) / view.scale) }
    func east(_ column: Int) -> Double { (Double(column) - view.middleColumn) / view.scale }
    let limit = atan(sinh(Double.pi))
    for row in 0..<19 {
      for column in 0..<23 {
        var area = 0.0
        for cell in cells {
          func radians(_ latitude: Double) -> Double {
            max(-limit, min(limit, latitude * .pi / 180))
          }
          let (top, base) = (sinus(row), sinus(row + 1))
          let height = min(sin(radians(cell.north)), top) - max(sin(radians(cell.south)), base)
          if height <= 0 { continue }
          for turn in [-360.0, 0, 360] {
            let west: Double = (cell.west + turn) * Double.pi / 180 - view.center.longitude
            let left: Double = max(west, -Double.pi, east(column))
            let width: Double = (cell.east - cell.west) * Double.pi / 180
            let right: Double = min(west + width, Double.pi, east(column + 1))
            if right > left { area += (right - left) * height / (top - base) * view.scale }
          }
        }
        let byte = Int(found[row * 23 + column])
        #expect(
          abs(Double(byte) - 255 * area) <= 1.02,
          "seed \(seed) pixel \(row) \(column): \(byte), not \(255 * area)")
        if area > 1e-7, area < 1 - 1e-7 { #expect(byte > 0 && byte < 255) }
        if area < 1e-11 { #expect(byte == 0) }
      }
    }
  }

  @Test(arguments: [PictureProjection.equalEarth, .globe], Seeds.sample(18))
  func `in other projections shares are those of many points of each pixel`(
    projection: PictureProjection, seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let start = Self.starts[Int(seed % UInt64(Self.starts.count))]
    let coverage = try Self.coverage(
      start, radius: [150.0, 1_000][Int(seed / 9 % 2)], using: &random)
    var center = Angles(latitude: start.0 * .pi / 180, longitude: start.1 * .pi / 180)
    // Far from the center of a globe, cells are seen at a slant.
    if projection == .globe {
      center.latitude -= .random(in: -0.9...0.9, using: &random)
      center.latitude = max(-1.5, min(1.5, center.latitude))
    }
    if seed % 4 == 3 { center.longitude += projection == .globe ? 0.5 : .pi }
    let side = 19
    let view = Self.view(
      projection, center: center, cellPixels: .random(in: 0.3...5, using: &random),
      step: coverage.grid.stepDegrees, looking: start, using: &random)
    let found = Self.shares(coverage, view, bandHeight: 7)
    let parts = 12
    for row in 0..<side {
      for column in 0..<23 {
        var hits = 0
        for point in 0..<parts * parts {
          let x = Double(column) + (Double(point % parts) + 0.5) / Double(parts)
          let y = Double(row) + (Double(point / parts) + 0.5) / Double(parts)
          guard let angles = view.angles(x: x, y: y) else { continue }
          let place = try Coordinate(
            latitudeDegrees: angles.latitude * 180 / .pi,
            longitudeDegrees: angles.longitude * 180 / .pi)
          if coverage.contains(coverage.grid.cell(containing: place)) { hits += 1 }
        }
        let expected = Double(hits) / Double(parts * parts)
        let share = Double(found[row * 23 + column]) / 255
        // Twelve points along a side see an edge to a twenty-fourth, and cells smaller than a pixel
        // have up to four edges in each direction there.
        #expect(
          abs(share - expected) <= 0.16,
          "\(projection) seed \(seed) pixel \(row) \(column): \(share), not \(expected)")
      }
    }
  }

  @Test(arguments: [PictureProjection.equalEarth, .globe])
  func `the area of all pixels is the area of the cells`(projection: PictureProjection) throws {
    var random = SplitMix64(seed: 5)
    let coverage = try Self.coverage((30, 20), radius: 1_000, using: &random)
    let view = MapView(
      projection, center: Angles(latitude: 30 * .pi / 180, longitude: 20 * .pi / 180),
      scale: 40_000, frame: PictureFrame(width: 200, height: 200))
    let shares = Self.shares(coverage, view, width: 200, height: 200, bandHeight: 32)
    let pixels = shares.reduce(0.0) { $0 + Double($1) / 255 }
    let steradians = coverage.areaSquareKilometers / pow(6_371.0072, 2)
    #expect(abs(pixels / (steradians * 40_000 * 40_000) - 1) < 0.01)
  }

  @Test func `margins show the rows around a band`() throws {
    var random = SplitMix64(seed: 9)
    let coverage = try Self.coverage((10, 20), radius: 150, using: &random)
    let view = MapView(
      .equalEarth, center: Angles(latitude: 10 * .pi / 180, longitude: 20 * .pi / 180),
      scale: 180 / .pi / coverage.grid.stepDegrees, frame: PictureFrame(width: 23, height: 19))
    let whole = Self.shares(coverage, view, bandHeight: 19)
    let cells = PictureCells(coverage, on: view, bandHeight: 8, margin: 3)
    let sum = AreaSum(width: 23, height: 14)
    cells.add(band: 1, margin: 3, to: sum)
    for row in 0..<14 {
      var bytes = [UInt8](repeating: 0, count: 23)
      bytes.withUnsafeMutableBufferPointer { _ = sum.write(row: row, to: $0) }
      #expect(bytes == Array(whole[(row + 5) * 23..<(row + 6) * 23]), "row \(row)")
    }
  }
}
