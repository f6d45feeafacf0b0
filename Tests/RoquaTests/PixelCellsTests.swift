import Foundation
import GridHash
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// The cells of blocks of pixels, compared with a scan of every pixel.
@Suite struct PixelCellsTests {
  /// Blocks with random lines, points and areas, some of them neighbors.
  private func blocks(_ random: inout SplitMix64) -> [PixelBlock] {
    let column = Int.random(in: 0..<65_535, using: &random)
    // Every latitude of the map, and more at its edges.
    let row = [0, 65_534, Int.random(in: 0..<65_535, using: &random)][
      Int.random(in: 0..<3, using: &random)]
    return (0..<4).map { number in
      var rows = [UInt64](repeating: 0, count: 64)
      for line in 0..<64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: rows[line] = .random(in: 0 ... .max, using: &random)
        case 1: rows[line] = 1 << UInt64.random(in: 0..<64, using: &random)
        case 2: rows[line] = line % 2 == 0 ? 0 : ~0 << UInt64.random(in: 0..<64, using: &random)
        default: break
        }
      }
      return PixelBlock(column: column + number % 2, row: row + number / 2, rows: rows)
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `cells are those that each pixel gives`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for radius in [150.0, 10, 333.3, 20_000] {
      let grid = try Grid(explorationRadiusMeters: radius)
      let blocks = blocks(&random)
      var cells = PixelCells(grid: grid)
      for block in blocks { cells.insert(block) }
      var plain = GridHash.Coverage(grid: grid)
      for block in blocks {
        for line in 0..<64 {
          for bit in 0..<64 where block.rows[line] >> UInt64(63 - bit) & 1 == 1 {
            for row in grid.rows(ofMercatorRow: block.row * 64 + line, of: 1 << 22) {
              for column in grid.columns(ofMercatorColumn: block.column * 64 + bit, of: 1 << 22) {
                plain.insert(Cell(row: Int32(row), column: Int32(column)))
              }
            }
          }
        }
      }
      #expect(cells.cells == plain, "radius \(radius)")
      #expect(cells.cells.count == plain.count)
      // In any order, and in parts.
      var (first, second) = (PixelCells(grid: grid), PixelCells(grid: grid))
      for block in blocks.dropFirst(2).reversed() { first.insert(block) }
      for block in blocks.prefix(2) { second.insert(block) }
      #expect(first.cells.union(second.cells) == plain)
    }
  }

  @Test func `a whole tile at the equator keeps its area and takes little memory`() throws {
    let full = [UInt64](repeating: ~0, count: 64)
    func cells(_ radius: Double) throws -> PixelCells {
      var cells = PixelCells(grid: try Grid(explorationRadiusMeters: radius))
      for row in 0..<128 {
        for column in 0..<128 {
          cells.insert(PixelBlock(column: 256 * 128 + column, row: 255 * 128 + row, rows: full))
        }
      }
      return cells
    }
    let fine = try cells(10)
    #expect(fine.cells.memoryBytes < 36_000_000)
    // 360°/512 on each side.
    let side = 360.0 / 512
    let step = 5.0 / 111_000
    #expect(abs(Double(fine.cells.count) / (side / step * (side / step)) - 1) < 0.001)
    let standard = try cells(150).cells
    #expect(standard.memoryBytes < 180_000)
    // Dense areas keep their size: only the cells at the edge of the tile are added or lost.
    let square = side * .pi / 180 * 6371.0072
    #expect(abs(standard.areaSquareMeters / 1e6 / (square * square) - 1) < 0.01)
  }
}
