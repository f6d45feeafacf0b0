import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct AreaTests {
  static let radius = 6_371_007.2

  /// The area of a spherical triangle on the unit sphere, from its sides as angles (L'Huilier).
  static func triangle(_ a: Double, _ b: Double, _ c: Double) -> Double {
    let s = (a + b + c) / 2
    let product = tan(s / 2) * tan((s - a) / 2) * tan((s - b) / 2) * tan((s - c) / 2)
    return 4 * atan(max(0, product).squareRoot())
  }

  /// The angle between two positions, from their latitudes and the difference of their longitudes.
  static func angle(_ latitude: Double, _ other: Double, _ longitude: Double) -> Double {
    let h =
      pow(sin((other - latitude) / 2), 2) + cos(latitude) * cos(other) * pow(sin(longitude / 2), 2)
    return 2 * asin(h.squareRoot())
  }

  /// The area of a cell as two triangles of great circles. On the 75 m grid the parallels differ
  /// from great circles by slivers of equal size above and below, to about 1e-11 of the area.
  static func areaByExcess(south: Double, north: Double, width: Double) -> Double {
    let side = north - south
    let diagonal = angle(south, north, width)
    return radius * radius
      * (triangle(angle(south, south, width), side, diagonal)
        + triangle(angle(north, north, width), side, diagonal))
  }

  /// ∫ cos φ dφ by Simpson's rule with 64 intervals, times Δλ.
  static func areaBySimpson(south: Double, north: Double, width: Double) -> Double {
    let step = (north - south) / 64
    let sum = (0...64).reduce(0.0) { sum, index in
      let weight: Double = index == 0 || index == 64 ? 1 : index % 2 == 1 ? 4 : 2
      return sum + weight * cos(south + Double(index) * step)
    }
    return radius * radius * width * sum * step / 3
  }

  @Test func `the area of a cell equals its spherical excess`() {
    let grid = Grid.standard
    let step = 75.0 / 111_000 * .pi / 180
    for row in stride(from: 0, to: 266_400, by: 1234) {
      // Around the south pole the edges of rows are exact multiples of the step.
      let south = Double(row) * step - .pi / 2
      let expected = AreaTests.areaByExcess(south: south, north: south + step, width: step)
      let area = grid.areaSquareMeters(of: Cell(row: Int32(row), column: 17))
      #expect(abs(area / expected - 1) < 1e-9, "row \(row)")
    }
  }

  @Test(arguments: GridTests.radii)
  func `the area of a cell equals the integral over it`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    var random = SplitMix64(seed: UInt64(radius))
    let last = Cell(row: Int32(grid.rowCount - 1), column: Int32(grid.columnCount - 1))
    var cells = [
      last, Cell(row: 0, column: 0), Cell(row: last.row, column: 0),
      Cell(row: 0, column: last.column),
    ]
    for _ in 0..<40 { cells.append(grid.cell(containing: .random(using: &random))) }
    for cell in cells where radius > 100 || abs(grid.center(of: cell).latitudeDegrees) < 89 {
      let bounds = grid.bounds(of: cell)
      let expected = AreaTests.areaBySimpson(
        south: bounds.southDegrees * .pi / 180, north: bounds.northDegrees * .pi / 180,
        width: (bounds.eastDegrees - bounds.westDegrees) * .pi / 180)
      // Edges as doubles are accurate to 3e-14 degree, which is coarse compared with a small cell.
      let tolerance = max(1e-9, 1e-13 / grid.stepDegrees * 2)
      #expect(abs(grid.areaSquareMeters(of: cell) / expected - 1) < tolerance, "\(cell)")
    }
  }

  @Test(arguments: [150.0, 151, 20_000, 99_999])
  func `the areas of all cells add up to the area of the Earth`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    var sum = 0.0
    for row in 0..<grid.rowCount {
      sum += grid.areaPerUnitOfLongitude(row: row) * Double(Grid.unitsAround)
    }
    #expect(abs(sum / AuthalicSphere.areaSquareMeters - 1) < 1e-11)
  }

  @Test func `a fully explored world shows 100 %`() throws {
    let grid = try Grid(explorationRadiusMeters: 99_999)
    var coverage = Coverage(grid: grid)
    for key in 0..<Int64(grid.tileCount) {
      coverage.insert(Tile(rows: (0..<64).map { grid.validBits(ofTile: key, row: $0) }), at: key)
    }
    #expect(coverage.count == grid.cellCount)
    #expect(coverage.cellPercentage == 100)
    #expect(abs(coverage.worldPercentage - 100) < 1e-11)
  }

  @Test(arguments: Seeds.sample(5))
  func `the area of a coverage equals that of its cells, in any order`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: seed == 1 ? 99_999 : 150)
    var fixes = track(60, using: &random)
    fixes.append(Coordinate(-10, 180))
    var coverage = Coverage(grid: grid)
    coverage.mark(contentsOf: fixes)
    let sum = coverage.allCells.reduce(0.0) { $0 + grid.areaSquareMeters(of: $1) }
    #expect(abs(coverage.areaSquareMeters / sum - 1) < 1e-12)
    let byTile = coverage.tiles.reduce(0.0) { $0 + grid.areaSquareMeters(of: $1.tile, at: $1.key) }
    #expect(abs(coverage.areaSquareMeters / byTile - 1) < 1e-12)
    var other = Coverage(grid: grid)
    for fix in fixes.reversed() { other.mark(discAround: fix) }
    #expect(other.areaSquareMeters == coverage.areaSquareMeters)
    #expect(coverage.areaSquareKilometers == coverage.areaSquareMeters / 1e6)
  }

  @Test func `the cells of a disc have the area of the disc at every latitude`() throws {
    // Cells are whole, so a disc of about 13 cells is inexact; the mean of 400 discs is accurate.
    var random = SplitMix64(seed: 3)
    for latitude in [0.0, 41, 60, 75, 85] {
      var sum = 0.0
      for _ in 0..<400 {
        var coverage = Coverage()
        let gain = coverage.markMeasuring(
          discAround: .random(latitude: latitude...latitude + 1, using: &random))
        sum += gain.areaSquareMeters
      }
      #expect(abs(sum / 400 / (.pi * 150 * 150) - 1) < 0.02, "at \(latitude)")
    }
  }

  @Test func `an empty coverage has no area`() {
    #expect(
      Coverage().areaSquareMeters == 0 && Coverage().isEmpty && Coverage().worldPercentage == 0)
  }
}
