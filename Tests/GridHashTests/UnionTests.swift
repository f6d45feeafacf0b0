import TestSupport
import Testing

@testable import GridHash

@Suite struct UnionTests {
  /// A coverage and the expected set of its cells.
  private struct Pair {
    var coverage: Coverage
    var cells: Set<Cell>

    mutating func insert(_ cell: Cell) {
      #expect(coverage.insert(cell) == cells.insert(cell).inserted)
    }
  }

  @Test(arguments: Seeds.sample(30))
  func `coverages that share memory stay correct while they are merged and grow`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: 20_000)
    var pairs = (0..<4).map { _ in Pair(coverage: Coverage(grid: grid), cells: []) }
    for _ in 0..<60 {
      let one = Int.random(in: 0..<4, using: &random)
      let two = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: pairs[one] = pairs[two]
      case 1:
        let added = pairs[two].cells.subtracting(pairs[one].cells).count
        #expect(pairs[one].coverage.formUnion(pairs[two].coverage) == added)
        pairs[one].cells.formUnion(pairs[two].cells)
      case 2:
        pairs[one].coverage = pairs[one].coverage.union(pairs[two].coverage)
        pairs[one].cells.formUnion(pairs[two].cells)
      default:
        // A few cells, or enough to need more chunks, in a part of the grid, so that the same bands
        // recur.
        for _ in 0..<Int.random(in: 1...400, using: &random) {
          pairs[one].insert(
            Cell(
              row: .random(in: 0..<Int32(grid.rowCount / 2), using: &random),
              column: .random(in: 0..<Int32(grid.columnCount / 4), using: &random)))
        }
      }
    }
    for pair in pairs {
      let expected = Coverage(pair.cells.sorted(), grid: grid)
      #expect(pair.coverage.count == pair.cells.count)
      #expect(pair.coverage.allCells == pair.cells.sorted())
      #expect(pair.coverage == expected)
      #expect(pair.coverage.serialized() == expected.serialized())
      #expect(pair.coverage.tileCount == Set(pair.cells.map(grid.tileKey(of:))).count)
      #expect(pair.coverage.tiles.allSatisfy { !$0.tile.isEmpty })
    }
  }

  @Test func `a union in large memory pages is complete and can be extended`() throws {
    // One cell in each of a range of bands. Both sides have as many bands in common as of their
    // own.
    func bands(_ numbers: Range<Int>) -> Coverage {
      var coverage = Coverage()
      for number in numbers { coverage.insert(cell(inBand: number)) }
      return coverage
    }
    func cell(inBand number: Int) -> Cell {
      Cell(
        row: Int32(number / 8_000 * TileTable.rows),
        column: Int32(number % 8_000 * 64 + number % 64))
    }
    let left = bands(0..<24_000)
    let right = bands(12_000..<36_000)
    var union = left.union(right)
    #expect(
      union.table.state.pointee.blockChunks * TileTable.chunkLength * TileTable.rows * 8 > 4 << 20)
    #expect(union == bands(0..<36_000) && right.union(left) == union)
    #expect(union.memoryBytes <= left.memoryBytes + right.memoryBytes / 2 + 100_000)
    for number in 36_000..<40_000 { union.insert(cell(inBand: number)) }
    #expect(union == bands(0..<40_000))
    #expect(left == bands(0..<24_000) && right == bands(12_000..<36_000))
  }

  @Test func `merging many small coverages rarely reallocates the table`() {
    var whole = Coverage()
    var capacities: Set<Int> = []
    var slots: Set<Int> = []
    for number in 0..<5_000 {
      var one = Coverage()
      one.insert(Cell(row: Int32(number) * 40, column: Int32(number) * 70))
      #expect(whole.formUnion(one) == 1)
      capacities.insert(whole.table.state.pointee.keyCapacity)
      slots.insert(whole.table.state.pointee.slotCount)
    }
    // Growth by a quarter each time, from 8 and 16: log(5000 / 8) / log(1.25) = 29, and a few more
    // because sizes are rounded down.
    #expect(capacities.count < 40 && slots.count < 40)
    #expect(whole.count == 5_000)
  }

  @Test
  func `an editor asks for a flush when it holds the bits of the maximum number of tiles`() throws {
    var editor = CoverageEditor(grid: .standard, maximumTiles: 2)
    var tile = Tile()
    for row in [0, 16, 32, 48] { tile[row: row] = 1 }
    var cells = Coverage()
    cells.insert(tile, at: 5)
    editor.add(cells)
    #expect(!editor.needsFlush)
    for key in [Int64(9), 11, 13] {
      tile = Tile()
      tile[row: 20] = 1
      cells = Coverage()
      cells.insert(tile, at: key)
      editor.add(cells)
      #expect(!editor.needsFlush)
    }
    cells = Coverage()
    cells.insert(tile, at: 15)
    editor.add(cells)
    #expect(editor.needsFlush, "a whole tile and four quarters are the bits of two")
  }
}
