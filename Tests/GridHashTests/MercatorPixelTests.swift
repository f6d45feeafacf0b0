import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

/// The cells that pixels of a Web Mercator map give, compared with a scan of every cell.
@Suite struct MercatorPixelTests {
  private static let count = 1 << 22

  /// The column and row of pixels of a position, not rounded: the formula of EPSG:3857 in its other
  /// direction.
  private func pixel(latitude: Double, longitude: Double, of count: Int) -> (x: Double, y: Double) {
    (
      (longitude + 180) / 360 * Double(count),
      (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * Double(count)
    )
  }

  /// The rows and columns of all cells of a coarse grid that a pixel gives, by the plain rule.
  private func plainCells(
    _ grid: Grid, x: Int, y: Int, of count: Int
  ) -> (rows: [Int], columns: [Int]) {
    let rows = (0..<grid.rowCount).filter { row in
      let center = grid.center(of: Cell(row: Int32(row), column: 0)).latitudeDegrees
      // Beyond 85.05° the map has no pixels.
      return Int(pixel(latitude: center, longitude: 0, of: count).y.rounded(.down)) == y
    }
    let columns = (0..<grid.columnCount).filter { column in
      let center = grid.center(of: Cell(row: 0, column: Int32(column))).longitudeDegrees
      return Int(pixel(latitude: 0, longitude: center, of: count).x.rounded(.down)) == x
    }
    let middle = atan(sinh(.pi * (1 - 2 * (Double(y) + 0.5) / Double(count)))) * 180 / .pi
    let longitude = (Double(x) + 0.5) / Double(count) * 360 - 180
    // In floating point: the cells of this test are far larger than its error.
    let ownRow = Int((middle + 90) / grid.stepDegrees)
    let ownColumn = Int((longitude + 180) / grid.stepDegrees)
    return (rows.isEmpty ? [ownRow] : rows, columns.isEmpty ? [ownColumn] : columns)
  }

  @Test(arguments: [100_000.0, 77_777, 33_333.333, 20_000])
  func `pixels larger and smaller than cells give what the plain rule gives`(radius: Double) throws
  {
    let grid = try Grid(explorationRadiusMeters: radius)
    for count in [2, 16, 100, 256, 1024, 4096] {
      for pixel in stride(from: 0, to: count, by: max(1, count / 64)) {
        for y in [pixel, count - 1 - pixel] {
          let plain = plainCells(grid, x: pixel, y: y, of: count)
          let rows = Array(grid.rows(ofMercatorRow: y, of: count))
          let columns = Array(grid.columns(ofMercatorColumn: pixel, of: count))
          #expect(rows == plain.rows, "row \(y) of \(count)")
          #expect(columns == plain.columns, "column \(pixel) of \(count)")
        }
      }
    }
  }

  @Test(arguments: [1, 5, 20, 150, 777.777, 5_000, 100_000.0])
  func `a pixel gives cells of the grid that it touches`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    var random = SplitMix64(seed: 7)
    let edges = [0, 1, Self.count / 2 - 1, Self.count / 2, Self.count - 2, Self.count - 1]
    for pixel in edges + (0..<2_000).map({ _ in Int.random(in: 0..<Self.count, using: &random) }) {
      let columns = grid.columns(ofMercatorColumn: pixel, of: Self.count)
      let rows = grid.rows(ofMercatorRow: pixel, of: Self.count)
      #expect(!columns.isEmpty && columns.lowerBound >= 0 && columns.upperBound <= grid.columnCount)
      #expect(!rows.isEmpty && rows.lowerBound >= 0 && rows.upperBound <= grid.rowCount)
      let southWest = grid.bounds(
        of: Cell(row: Int32(rows.lowerBound), column: Int32(columns.lowerBound)))
      let northEast = grid.bounds(
        of: Cell(row: Int32(rows.upperBound - 1), column: Int32(columns.upperBound - 1)))
      let first = self.pixel(
        latitude: northEast.northDegrees, longitude: southWest.westDegrees, of: Self.count)
      let last = self.pixel(
        latitude: southWest.southDegrees, longitude: northEast.eastDegrees, of: Self.count)
      // The outermost cells begin before the pixel ends.
      let slack = 1e-6
      #expect(last.x > Double(pixel) - slack && first.x < Double(pixel + 1) + slack)
      #expect(last.y > Double(pixel) - slack && first.y < Double(pixel + 1) + slack)
      // Larger pixels leave out at most half a cell on each side.
      if columns.count > 1 || rows.count > 1 {
        let cell = grid.stepDegrees / 360 * Double(Self.count)
        #expect(first.x <= Double(pixel) + cell / 2 + slack)
        #expect(last.x >= Double(pixel + 1) - cell / 2 - slack)
      }
    }
  }

  @Test func `every column of the standard grid has pixels`() {
    var next = 0
    for pixel in 0..<Self.count {
      let columns = Grid.standard.columns(ofMercatorColumn: pixel, of: Self.count)
      #expect(columns.count == 1)
      if columns.lowerBound == next { continue }
      #expect(columns.lowerBound == next + 1)
      next += 1
    }
    #expect(next == Grid.standard.columnCount - 1)
  }

  @Test func `rows run from 85 degrees north to 85 degrees south without a gap`() {
    let grid = Grid.standard
    var previous = grid.rows(ofMercatorRow: 0, of: Self.count).lowerBound
    let north = grid.bounds(of: Cell(row: Int32(previous), column: 0))
    #expect(north.southDegrees < 85.0511287799 && north.northDegrees > 85.0511287798 - 1e-4)
    for pixel in 1..<Self.count {
      let rows = grid.rows(ofMercatorRow: pixel, of: Self.count)
      if rows == previous..<previous + 1 || rows == previous - 1..<previous {
        previous = rows.lowerBound
      } else {
        Issue.record("row \(pixel) gives \(rows) after \(previous)")
      }
    }
    let south = grid.bounds(of: Cell(row: Int32(previous), column: 0))
    #expect(south.southDegrees < -85.0511287798 + 1e-4)
  }

  @Test func `a row of cells is the same from pieces and from single cells`() throws {
    let grid = Grid.standard
    var pieces = Coverage(grid: grid)
    var single = Coverage(grid: grid)
    for (row, columns) in [(0, 0..<1), (77, 60..<200), (266_399, 532_700..<532_800), (77, 63..<64)]
    {
      pieces.insert(row: row, columns: columns)
      for column in columns { single.insert(Cell(row: Int32(row), column: Int32(column))) }
    }
    #expect(pieces == single)
    #expect(pieces.count == single.count)
  }
}
