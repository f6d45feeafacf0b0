import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct DiscTests {
  /// Difficult coordinates: poles, ±180°, and the edges, corners and centers of cells.
  static func corners(of grid: Grid, using random: inout SplitMix64) throws -> [Coordinate] {
    var coordinates = [
      Coordinate(90, 0), Coordinate(-90, 0), Coordinate(90, 180), Coordinate(-90, 77.7),
      Coordinate(0, 180),
      Coordinate(0, 179.9999999), Coordinate(0, -179.9999999), Coordinate(0, 0),
      Coordinate(65, 180),
    ]
    for cell in [
      Cell(row: 0, column: 0),
      Cell(row: Int32(grid.rowCount - 1), column: Int32(grid.columnCount - 1)),
      Cell(row: Int32(grid.rowCount / 2), column: 0),
      Cell(row: Int32(grid.rowCount - 2), column: 1),
      Cell(row: 3, column: Int32(grid.columnCount - 2)),
      grid.cell(containing: .random(using: &random)),
    ] {
      let bounds = grid.bounds(of: cell)
      let center = grid.center(of: cell)
      coordinates.append(Coordinate(center.latitudeDegrees, center.longitudeDegrees))
      coordinates.append(Coordinate(bounds.southDegrees, bounds.westDegrees))
      coordinates.append(Coordinate(bounds.northDegrees, center.longitudeDegrees))
    }
    return coordinates
  }

  /// Tests every cell of the world.
  @Test(arguments: [100_000.0, 99_999, 70_300])
  func `on a coarse grid a disc equals a scan of all cells`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    let oracle = DiscOracle(grid)
    var vectors: [SIMD3<Double>] = []
    for row in 0..<Int32(grid.rowCount) {
      for column in 0..<Int32(grid.columnCount) {
        let center = grid.center(of: Cell(row: row, column: column))
        vectors.append(DiscOracle.vector(center.latitudeDegrees, center.longitudeDegrees))
      }
    }
    var random = SplitMix64(seed: UInt64(radius))
    var coordinates = try DiscTests.corners(of: grid, using: &random)
    for _ in 0..<12 { coordinates.append(.random(using: &random)) }
    for _ in 0..<4 { coordinates.append(.random(latitude: 88...90, using: &random)) }
    for _ in 0..<4 { coordinates.append(.random(latitude: -90 ... -88, using: &random)) }

    for coordinate in coordinates {
      let own = DiscOracle.vector(coordinate.latitudeDegrees, coordinate.longitudeDegrees)
      var expected: [Int] = []
      vectors.withUnsafeBufferPointer { vectors in
        for index in vectors.indices {
          let chord = vectors[index] - own
          if chord.x * chord.x + chord.y * chord.y + chord.z * chord.z <= oracle.squaredChord {
            expected.append(index)
          }
        }
      }
      let found = grid.cells(ofDiscAround: coordinate).map {
        Int($0.row) * grid.columnCount + Int($0.column)
      }
      #expect(found == expected, "around \(coordinate)")
      var coverage = Coverage(grid: grid)
      #expect(coverage.mark(discAround: coordinate) == expected.count)
    }
  }

  @Test(arguments: Array(stride(from: -90, to: 90, by: 10)))
  func `on the 75 m grid a disc equals a scan of nearby cells at every latitude`(
    south: Int
  )
    throws
  {
    let grid = Grid.standard
    let oracle = DiscOracle(grid)
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(south)))
    // Avoids the complete rows around a pole, which have their own test.
    let band = max(-89.98, Double(south))...min(89.98, Double(south + 10))
    for _ in 0..<60 {
      let coordinate = Coordinate.random(latitude: band, using: &random)
      #expect(
        grid.cells(ofDiscAround: coordinate) == oracle.cells(around: coordinate),
        "around \(coordinate)")
    }
    for _ in 0..<15 {
      let coordinate = Coordinate.random(
        latitude: band, longitude: 179.998...180.002, using: &random)
      #expect(
        grid.cells(ofDiscAround: coordinate) == oracle.cells(around: coordinate),
        "around \(coordinate)")
    }
  }

  @Test func `on the 75 m grid a disc at a pole consists of complete rows`() throws {
    let grid = Grid.standard
    // Within 150 m of the pole lie the centers of two rows, 37.6 m and 112.7 m away.
    for (pole, rows) in [
      (Coordinate(90, 12.3), [266_398, 266_399]), (Coordinate(-90, 0), [0, 1]),
    ] {
      let spans = grid.spans(ofDiscAround: pole)
      #expect(spans.map(\.row) == rows.map { Int32($0) })
      #expect(spans.allSatisfy { $0.columns == 0..<532_800 })
    }
  }

  @Test(arguments: [(89.9995, 10.0), (-89.9986, -179.99), (89.99868, 180.0)])
  func `on the 75 m grid a disc near a pole equals a scan of complete rows`(
    latitude: Double, longitude: Double
  ) throws {
    let coordinate = Coordinate(latitude, longitude)
    let grid = Grid.standard
    let scan = DiscOracle(grid).cells(around: coordinate)
    #expect(scan.count > 1000)
    #expect(grid.cells(ofDiscAround: coordinate) == scan)
  }

  @Test(arguments: GridTests.radii)
  func `discs of every radius equal a scan, including at difficult places`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    let oracle = DiscOracle(grid)
    var random = SplitMix64(seed: UInt64(radius * 7))
    var coordinates = try DiscTests.corners(of: grid, using: &random).filter {
      abs($0.latitudeDegrees) < 89.98 || radius > 20_000
    }
    for _ in 0..<30 { coordinates.append(.random(latitude: -88...88, using: &random)) }
    for coordinate in coordinates {
      let spans = grid.cells(ofDiscAround: coordinate)
      #expect(spans == oracle.cells(around: coordinate), "around \(coordinate)")
      #expect(spans.allSatisfy { grid.isCell($0, inDiscAround: coordinate) })
      let keys = Set(spans.map { grid.tileKey(of: $0) })
      #expect(grid.tileKeys(ofDiscAround: coordinate) == keys.sorted())
    }
  }

  /// The fast method compared with the exact one, at all latitudes and radii that it supports.
  @Test(arguments: [1, 2.5, 10, 150, 151, 600, 2000.0])
  func `the fast method finds the same cells as the exact one`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    var kernel = DiscKernel(grid: grid)
    var random = SplitMix64(seed: UInt64(radius))
    var refused = 0
    for round in 0..<4000 {
      var coordinate = Coordinate.random(
        latitude: -79.9...79.9, longitude: -179...179, using: &random)
      if round % 4 == 0 {
        // A row that the circle barely touches or barely misses.
        coordinate = try DiscTests.touching(coordinate, in: grid, using: &random)
      }
      let rows = kernel.rows(around: coordinate)
      if rows.firstRow == DiscKernel.Rows.askExactDisc {
        refused += 1
        continue
      }
      var spans: [CellSpan] = []
      for row in 0..<4 where rows.low[row] < rows.high[row] {
        spans.append(
          CellSpan(row: rows.firstRow + Int32(row), columns: rows.low[row]..<rows.high[row]))
      }
      #expect(spans == grid.spans(ofDiscAround: coordinate), "around \(coordinate)")
    }
    #expect(refused < 100, "the fast method must rarely fall back to the exact one")
  }

  /// Moves a coordinate so that the center of a row is about one radius away.
  static func touching(
    _ coordinate: Coordinate, in grid: Grid, using random: inout SplitMix64
  ) throws -> Coordinate {
    let radius = grid.explorationRadiusMeters / AuthalicSphere.radiusMeters * 180 / .pi
    let center = grid.center(of: grid.cell(containing: coordinate)).latitudeDegrees
    return Coordinate(
      center + radius * (Bool.random(using: &random) ? 1 : -1)
        + grid.stepDegrees * .random(in: -0.01...0.01, using: &random),
      coordinate.longitudeDegrees)
  }

  /// Centers of cells whose distance is the radius to within a few units of E7, where slightly
  /// inaccurate arithmetic shows.
  @Test(arguments: [1, 10, 150, 600, 2000.0])
  func `cells at the edge of a disc are decided by the exact rule`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    let oracle = DiscOracle(grid)
    var random = SplitMix64(seed: UInt64(radius))
    for _ in 0..<600 {
      let latitude = Double.random(in: -79.9...79.9, using: &random)
      let cell = grid.cell(
        containing: Coordinate(
          latitude + grid.stepDegrees * .random(in: -1.9...1.9, using: &random),
          .random(in: -179...179, using: &random)))
      let center = grid.center(of: cell)
      let half = sin(radius / 6_371_007.2 / 2)
      let sine = sin((center.latitudeDegrees - latitude) * .pi / 360)
      let left =
        (half * half - sine * sine) / cos(latitude * .pi / 180)
        / cos(center.latitudeDegrees * .pi / 180)
      guard left > 0 else { continue }
      let halfWidth = 2 * asin(left.squareRoot()) * 180 / .pi
      let near = Coordinate(
        latitude,
        center.longitudeDegrees + (Bool.random(using: &random) ? halfWidth : -halfWidth)
          + 1e-7 * .random(in: -3...3, using: &random))
      var coverage = Coverage(grid: grid)
      coverage.mark(discAround: near)
      #expect(coverage.contains(cell) == grid.isCell(cell, inDiscAround: near))
      #expect(coverage.allCells == grid.cells(ofDiscAround: near))
      if radius >= 10 {
        // For smaller radii, unit vectors are less precise than the distances that decide.
        #expect(coverage.contains(cell) == oracle.isInside(cell, near), "around \(near)")
      }
    }
  }

  @Test func `the margin and inverse square root of the fast method are as documented`() throws {
    #expect(abs(DiscKernel(grid: .standard).margin / 2.7e-5 - 1) < 0.03)
    #expect(
      abs(DiscKernel(grid: try Grid(explorationRadiusMeters: 2000)).margin / 3.0e-5 - 1) < 0.03)
    // The error is the same in [1, 4) and in [4, 16).
    var worst: Float = 0
    for step in 0..<30_000 {
      let x = 1 + 3 * Float(step) / 30_000
      let root = DiscKernel.inverseSquareRoot(SIMD4(x, x * 4096, x / 4096, 1))
      worst = max(worst, abs(root[0] * x.squareRoot() - 1))
      #expect(root[1] == root[0] / 64 && root[2] == root[0] * 64)
    }
    #expect(worst > 6e-7 && worst < 7.0e-7 + 0x1p-23)
    #expect(DiscKernel.inverseSquareRoot(SIMD4(repeating: 0))[0].isFinite)
  }
}
