import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct CoverageTests {
  @Test(arguments: Seeds.sample(6))
  func `marking a track gives the union of its discs, with every way of marking`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let fixes = track(150, using: &random)
    let expected = Set(fixes.flatMap { Grid.standard.cells(ofDiscAround: $0) })

    var whole = Coverage()
    #expect(whole.mark(contentsOf: fixes) == expected.count)
    #expect(whole.mark(contentsOf: fixes) == 0)
    #expect(whole.count == expected.count)
    #expect(whole.allCells == expected.sorted())

    var shuffled = Coverage()
    for fix in fixes.shuffled(using: &random) { shuffled.mark(discAround: fix) }
    #expect(shuffled == whole)

    var lazily = Coverage()
    lazily.mark(contentsOf: AnySequence(fixes))
    #expect(lazily == whole)

    var reported: [Cell] = []
    var measured = CoverageGain()
    var reporting = Coverage()
    var measurer = Coverage()
    for fix in fixes {
      reporting.mark(discAround: fix) { row, firstColumn, bits in
        for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 {
          reported.append(Cell(row: row, column: firstColumn + Int32(bit)))
        }
      }
      measured += measurer.markMeasuring(discAround: fix)
    }
    #expect(
      reported.count == expected.count && Set(reported) == expected,
      "each new cell is reported once")
    #expect(measured.cells == expected.count)
    #expect(abs(measured.areaSquareMeters / whole.areaSquareMeters - 1) < 1e-12)
  }

  @Test func `a disc across tile edges, at a pole or at ±180° has all its cells`() throws {
    let grid = Grid.standard
    var random = SplitMix64(seed: 9)
    var coordinates = [Coordinate(90, 0), Coordinate(-89.9999, 50), Coordinate(12, 180)]
    for _ in 0..<300 {
      // Around the corner of four tiles.
      let corner = grid.bounds(
        of: Cell(
          row: Int32.random(in: 500...4000, using: &random) * 64,
          column: Int32.random(in: 1...8300, using: &random) * 64))
      coordinates.append(
        Coordinate(
          corner.southDegrees + .random(in: -0.002...0.002, using: &random),
          corner.westDegrees + .random(in: -0.004...0.004, using: &random)))
    }
    for coordinate in coordinates {
      var coverage = Coverage()
      let expected = grid.spans(ofDiscAround: coordinate).reduce(0) { $0 + $1.columns.count }
      #expect(coverage.mark(discAround: coordinate) == expected)
      #expect(coverage.tiles.allSatisfy { !$0.tile.isEmpty })
      #expect(coverage.tileKeys == grid.tileKeys(ofDiscAround: coordinate))
      #expect(
        grid.spans(ofDiscAround: coordinate).allSatisfy { span in
          coverage.contains(Cell(row: span.row, column: span.columns.lowerBound))
            && coverage.contains(Cell(row: span.row, column: span.columns.upperBound - 1))
        })
    }
  }

  @Test func `a coverage contains no cells outside the grid`() {
    var coverage = Coverage()
    #expect(coverage.insert(Cell(row: 266_399, column: 532_799)) == true)
    #expect(coverage.insert(Cell(row: 266_399, column: 532_799)) == false)
    #expect(coverage.contains(Cell(row: 266_399, column: 532_799)))
    for cell in [(266_400, 0), (0, 532_800), (-1, 0), (0, -1), (266_399, 532_798)] {
      #expect(!coverage.contains(Cell(row: Int32(cell.0), column: Int32(cell.1))))
    }
  }

  @Test func `a copy of a coverage is independent`() throws {
    var random = SplitMix64(seed: 4)
    var first = Coverage()
    first.mark(contentsOf: track(200, using: &random))
    let before = first.serialized()
    let copy = first
    let tiles = first.tiles
    first.mark(contentsOf: track(200, using: &random))
    #expect(copy.serialized() == before)
    #expect(first != copy)
    #expect(tiles.reduce(0) { $0 + $1.tile.count } == copy.count)
    var second = copy
    second.insert(Cell(row: 1, column: 1))
    #expect(copy.serialized() == before)
  }

  @Test(arguments: Seeds.sample(20))
  func `set operations equal those of a set of cells`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(
      explorationRadiusMeters: [40_000.0, 77_777].randomElement(using: &random) ?? 150)
    func cells(_ count: Int) -> Set<Cell> {
      Set(
        (0..<count).map { _ in
          Cell(
            row: .random(in: 0..<Int32(grid.rowCount / 3), using: &random),
            column: .random(in: 0..<Int32(grid.columnCount / 3), using: &random))
        })
    }
    let left = cells(.random(in: 0...3000, using: &random))
    var right = cells(.random(in: 0...3000, using: &random))
    if let some = left.first { right.insert(some) }
    let (a, b) = (Coverage(left, grid: grid), Coverage(right, grid: grid))
    for (result, expected) in [
      (a.union(b), left.union(right)), (b.union(a), left.union(right)),
      (a.intersection(b), left.intersection(right)), (b.intersection(a), left.intersection(right)),
      (a.subtracting(b), left.subtracting(right)), (b.subtracting(a), right.subtracting(left)),
      (a.symmetricDifference(b), left.symmetricDifference(right)), (a.subtracting(a), Set()),
    ] {
      #expect(result.count == expected.count)
      #expect(result.allCells == expected.sorted())
      #expect(result == Coverage(expected, grid: grid))
      #expect(result.tiles.allSatisfy { !$0.tile.isEmpty })
    }
    var joined = a
    #expect(joined.formUnion(b) == right.subtracting(left).count)
    #expect(joined.formUnion(b) == 0)
  }

  @Test func `a coverage can be built from the tiles of another`() throws {
    var random = SplitMix64(seed: 5)
    var coverage = Coverage()
    coverage.mark(contentsOf: track(400, using: &random))
    var other = Coverage()
    var added = 0
    for (key, tile) in Array(coverage.tiles).reversed() { added += other.insert(tile, at: key) }
    #expect(added == coverage.count && other == coverage)
    for (key, tile) in coverage.tiles {
      #expect(other.insert(tile, at: key) == 0)
      #expect(other.tile(at: key) == tile)
    }
    #expect(other.insert(Tile(), at: 0) == 0 && other.tile(at: 0) == nil)
  }

  @Test func `a partial tile has no cells outside the grid`() throws {
    let grid = try Grid(explorationRadiusMeters: 100_000)  // 400 × 800: 6.25 × 12.5 tiles
    let last = Int64(grid.tileCount - 1)
    var tile = Tile()
    tile[row: 15] = 0xFFFF_FFFF
    #expect(grid.accepts(tile, at: last))
    tile[row: 15] = 0x1_0000_0000
    #expect(!grid.accepts(tile, at: last))
    tile[row: 15] = 0
    tile[row: 16] = 1
    #expect(!grid.accepts(tile, at: last))
    #expect(!grid.accepts(Tile(), at: last + 1))
    #expect(!grid.accepts(Tile(), at: -1))
  }

  @Test func `along tracks a cell takes at most 2.5 bytes of memory`() throws {
    var random = SplitMix64(seed: 6)
    var coverage = Coverage()
    for _ in 0..<8 { coverage.mark(contentsOf: track(3000, latitude: -60...60, using: &random)) }
    #expect(coverage.count > 80_000)
    #expect(Double(coverage.memoryBytes) / Double(coverage.count) < 2.5)
  }
}
