import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct ShapeTests {
  static let columns: Int32 = 800
  static let rows: Int32 = 400

  /// Blobs around a few places, including ±180° and the poles, so that there are shapes to find.
  static func blobs(using random: inout SplitMix64) -> Set<Cell> {
    var cells: Set<Cell> = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let row =
        [0, 399, 63, 64, 200, Int32.random(in: 0..<400, using: &random)].randomElement(
          using: &random) ?? 0
      let column =
        [0, 799, 64, Int32.random(in: 0..<800, using: &random)].randomElement(using: &random) ?? 0
      let height = Int32.random(in: 1...9, using: &random)
      let width = Int32.random(in: 1...12, using: &random)
      for r in row..<row + height where r < rows {
        for c in column..<column + width where !Bool.random(oneIn: 14, using: &random) {
          cells.insert(Cell(row: r, column: (c - 4 + columns) % columns))
        }
      }
    }
    return cells
  }

  static let grid: Grid = Grid(millimeters: 100_000_000)

  @Test(arguments: Seeds.sample(60))
  func `cells, bounds and frontier equal those of a set of cells`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let cells = ShapeTests.blobs(using: &random)
    let coverage = Coverage(cells, grid: ShapeTests.grid)
    #expect(Array(coverage.cells) == cells.sorted())
    #expect(coverage.rowBounds?.lowerBound == cells.map(\.row).min())
    #expect(coverage.rowBounds?.upperBound == cells.map(\.row).max())
    #expect(coverage.columnBounds?.lowerBound == cells.map(\.column).min())
    #expect(coverage.columnBounds?.upperBound == cells.map(\.column).max())
    let frontier = Set(cells.flatMap { ShapeTests.grid.neighbors(of: $0) }).subtracting(cells)
    #expect(Array(coverage.frontier) == frontier.sorted())
  }

  @Test(arguments: Seeds.sample(60))
  func `the largest square equals the result of exhaustive search`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let cells = ShapeTests.blobs(using: &random)
    func isFull(_ corner: Cell, _ side: Int32) -> Bool {
      (0..<side).allSatisfy { row in
        (0..<side).allSatisfy { column in
          cells.contains(
            Cell(row: corner.row + row, column: (corner.column + column) % ShapeTests.columns))
        }
      }
    }
    var largest: Int32 = 0
    for cell in cells { while isFull(cell, largest + 1) { largest += 1 } }
    let found = Coverage(cells, grid: ShapeTests.grid).largestSquare
    #expect(found?.side == (largest == 0 ? nil : Int(largest)))
    if let found { #expect(isFull(found.southWest, largest)) }
  }

  @Test(arguments: Seeds.sample(60))
  func `the largest cluster equals the result of a flood fill`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let cells = ShapeTests.blobs(using: &random)
    let grid = ShapeTests.grid
    var core = cells.filter { grid.neighbors(of: $0).allSatisfy(cells.contains) }
    var expected: CellCluster?
    for start in core.sorted() where core.remove(start) != nil {
      var flooded = [start]
      var next = 0
      while next < flooded.count {
        for neighbor in grid.neighbors(of: flooded[next]) where core.remove(neighbor) != nil {
          flooded.append(neighbor)
        }
        next += 1
      }
      if flooded.count > expected?.cells ?? 0 {
        expected = CellCluster(cells: flooded.count, firstCell: start)
      }
    }
    #expect(Coverage(cells, grid: grid).largestCluster == expected)
  }

  @Test func `squares and clusters are found across ±180°`() {
    let cells = (10..<16).flatMap { row in
      (-3..<3).map { Cell(row: Int32(row), column: Int32($0 + 800) % 800) }
    }
    let coverage = Coverage(cells, grid: ShapeTests.grid)
    #expect(coverage.largestSquare == CellSquare(side: 6, southWest: Cell(row: 10, column: 797)))
    #expect(coverage.largestCluster == CellCluster(cells: 16, firstCell: Cell(row: 11, column: 0)))
  }

  @Test func `the fully explored world is one cluster and has no frontier`() {
    let grid = ShapeTests.grid
    var coverage = Coverage(grid: grid)
    for key in 0..<Int64(grid.tileCount) {
      coverage.insert(Tile(rows: (0..<64).map { grid.validBits(ofTile: key, row: $0) }), at: key)
    }
    #expect(
      coverage.largestCluster
        == CellCluster(cells: grid.cellCount, firstCell: Cell(row: 0, column: 0)))
    #expect(coverage.frontier.first { _ in true } == nil)
    #expect(coverage.largestSquare?.side == 400)
  }

  @Test func `an empty coverage has no shapes`() {
    let coverage = Coverage()
    #expect(coverage.largestSquare == nil && coverage.largestCluster == nil)
    #expect(coverage.rowBounds == nil && coverage.columnBounds == nil)
    #expect(
      coverage.cells.first { _ in true } == nil && coverage.frontier.first { _ in true } == nil)
  }

  @Test func `the frontier can be read in part, in order`() throws {
    var random = SplitMix64(seed: 12)
    var coverage = Coverage()
    for _ in 0..<10 { coverage.mark(contentsOf: track(500, using: &random)) }
    let first = Array(coverage.frontier.prefix(5))
    #expect(first.count == 5 && first == first.sorted())
    #expect(first.allSatisfy { !coverage.contains($0) })
  }
}

extension Bool {
  /// Returns true with a probability of 1 in `count`.
  static func random(oneIn count: Int, using random: inout SplitMix64) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
}
