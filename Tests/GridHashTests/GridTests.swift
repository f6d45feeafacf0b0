import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct GridTests {
  static let radii: [Double] = [1, 7.3, 50, 75, 150, 200, 1000, 1234.567, 20_000, 100_000]

  @Test func `the default grid has the documented rows, columns and step`() {
    let grid = Grid.standard
    #expect(grid.rowCount == 266_400)
    #expect(grid.columnCount == 532_800)
    #expect(grid.stepDegrees == 75.0 / 111_000)
    #expect(grid.tileColumnCount == 8325)
    #expect(grid.tileRowCount == 4163)
    #expect(grid.cellCount == 266_400 * 532_800)
  }

  @Test func `radii at the limits are accepted, those beyond are refused`() throws {
    #expect(try Grid(explorationRadiusMeters: 1).rowCount == 39_960_000)
    #expect(try Grid(explorationRadiusMeters: 1).tileCount < 1 << 40)
    #expect(try Grid(explorationRadiusMeters: 100_000).columnCount == 800)
    for radius in [0.999, 100_000.1, 0, -150, .infinity, -.infinity] {
      #expect(throws: GridError.radiusOutOfRange(meters: radius)) {
        try Grid(explorationRadiusMeters: radius)
      }
    }
    #expect(throws: GridError.self) { try Grid(explorationRadiusMeters: .nan) }
  }

  @Test(arguments: radii)
  func `the bounds of a coordinate's cell contain the coordinate`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    var random = SplitMix64(seed: UInt64(radius * 1000))
    for _ in 0..<500 {
      let coordinate = Coordinate.random(using: &random)
      let cell = grid.cell(containing: coordinate)
      let bounds = grid.bounds(of: cell)
      #expect(grid.contains(cell))
      #expect(bounds.southDegrees <= coordinate.latitudeDegrees + 1e-13)
      #expect(coordinate.latitudeDegrees <= bounds.northDegrees + 1e-13)
      #expect(bounds.westDegrees <= coordinate.longitudeDegrees + 1e-13)
      #expect(coordinate.longitudeDegrees <= bounds.eastDegrees + 1e-13)
    }
  }

  @Test func `a coordinate on an edge is in the cell to the north and east`() throws {
    // Every 37 rows an edge is a multiple of 0.025°. In doubles, ⌊(-89.95 + 90) / δ⌋ is 73.
    for step in 0..<7200 {
      let coordinate = Coordinate(-90 + Double(step) * 0.025, -180 + Double(step) * 0.05)
      let cell = Grid.standard.cell(containing: coordinate)
      #expect(cell == Cell(row: Int32(step) * 37, column: Int32(step) * 74))
    }
    #expect(Int(((-89.95 + 90) / Grid.standard.stepDegrees).rounded(.down)) == 73)
  }

  @Test(arguments: radii)
  func `poles and ±180° are in the first or last row and column`(radius: Double) throws {
    let grid = try Grid(explorationRadiusMeters: radius)
    let last = Cell(row: Int32(grid.rowCount - 1), column: Int32(grid.columnCount - 1))
    #expect(grid.cell(containing: Coordinate(90, 179.9999999)) == last)
    #expect(grid.cell(containing: Coordinate(-90, 180)) == Cell(row: 0, column: 0))
    #expect(grid.bounds(of: last).northDegrees == 90)
    #expect(grid.bounds(of: last).eastDegrees == 180)
    let center = grid.center(of: last)
    let bounds = grid.bounds(of: last)
    #expect(abs(center.latitudeDegrees - (bounds.southDegrees + bounds.northDegrees) / 2) < 1e-13)
    #expect(abs(center.longitudeDegrees - (bounds.westDegrees + bounds.eastDegrees) / 2) < 1e-13)
  }

  @Test func `neighbors share an edge, wrap at ±180° and end at the poles`() {
    let grid = Grid.standard
    #expect(
      grid.neighbors(of: Cell(row: 5, column: 7))
        == [(4, 7), (5, 6), (5, 8), (6, 7)].map { Cell(row: $0.0, column: $0.1) })
    #expect(
      grid.neighbors(of: Cell(row: 0, column: 0))
        == [(0, 1), (0, 532_799), (1, 0)].map { Cell(row: $0.0, column: $0.1) })
    #expect(
      grid.neighbors(of: Cell(row: 266_399, column: 532_799))
        == [(266_398, 532_799), (266_399, 0), (266_399, 532_798)].map {
          Cell(row: $0.0, column: $0.1)
        })
  }

  @Test func `the neighbor relation is symmetric`() throws {
    let grid = try Grid(explorationRadiusMeters: 99_000)
    for row in 0..<Int32(grid.rowCount) {
      for column in [0, 1, 400, Int32(grid.columnCount) - 2, Int32(grid.columnCount) - 1] {
        let cell = Cell(row: row, column: column)
        let neighbors = grid.neighbors(of: cell)
        #expect(neighbors == neighbors.sorted())
        #expect(neighbors.allSatisfy { grid.neighbors(of: $0).contains(cell) })
      }
    }
  }

  @Test func `tile keys are numbered from the southwest`() {
    let grid = Grid.standard
    #expect(grid.tileKey(of: Cell(row: 63, column: 63)) == 0)
    #expect(grid.tileKey(of: Cell(row: 63, column: 64)) == 1)
    #expect(grid.tileKey(of: Cell(row: 64, column: 0)) == 8325)
    #expect(grid.firstCell(ofTile: 8326) == Cell(row: 64, column: 64))
    #expect(
      grid.tileKey(of: Cell(row: 266_399, column: 532_799)) == Int64(grid.tileCount - 1))
  }
}

@Suite struct CellHashTests {
  @Test func `a grid hash is parsed back unchanged`() {
    for cell in [
      Cell(row: 0, column: 0), Cell(row: 266_399, column: 532_799), Cell(row: 10, column: .max),
    ] {
      #expect(Cell(gridHash: cell.gridHash) == cell)
    }
    #expect(Cell(row: 193_917, column: 309_320).gridHash == "193917_309320")
    #expect(Cell(gridHash: "x12_34".dropFirst()) == Cell(row: 12, column: 34))
  }

  @Test(arguments: [
    "", "_", "1", "1_", "_1", "1_2_", "1__2", "1_2_3", " 1_2", "1_2 ", "1 _2", "+1_2", "-1_2",
    "1_-2", "01_2",
    "1_02", "00_1", "1_00", "1.0_2", "1e3_2", "2147483648_1", "1_2147483648",
    "99999999999999999999_1", "٣_٤",
    "a_b", "1-2", "0x1_2", "1_2\n",
  ])
  func `text other than two plain numbers is not a grid hash`(text: String) {
    #expect(Cell(gridHash: text) == nil)
  }
}
