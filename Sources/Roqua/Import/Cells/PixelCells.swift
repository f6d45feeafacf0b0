import GridHash
import TrackIngest

/// The cells that blocks of explored pixels give, by the rule of
/// `Grid.columns(ofMercatorColumn:of:)` and `Grid.rows(ofMercatorRow:of:)`.
///
/// - Complexity: O(explored pixels), and of a grid whose cells are smaller than pixels O(cells).
/// - Memory: the cells. With the standard grid, a whole tile of Fog of World gives 165 kB; at 10 m,
///   the smallest exploration radius of a store, 35 MB.
struct PixelCells {
  /// The cells so far.
  private(set) var cells: GridHash.Coverage
  /// The row of blocks for which ``rows`` were computed.
  private var blockRow = -1
  private var rows: [Range<Int>] = []

  /// Creates an empty set of cells of a grid.
  init(grid: Grid) { cells = GridHash.Coverage(grid: grid) }

  /// Adds the cells of a block.
  mutating func insert(_ block: PixelBlock) {
    if block.row != blockRow {
      blockRow = block.row
      let first = block.row * PixelBlock.width
      rows = (first..<first + PixelBlock.width).map {
        cells.grid.rows(ofMercatorRow: $0, of: PixelBlock.pixelsAcrossWorld)
      }
    }
    let first = block.column * PixelBlock.width
    let columns = (first..<first + PixelBlock.width).map {
      cells.grid.columns(ofMercatorColumn: $0, of: PixelBlock.pixelsAcrossWorld)
    }
    // Neighboring rows of pixels usually give the same row of cells.
    var line = 0
    while line < PixelBlock.width {
      var bits = block.rows[line]
      var next = line + 1
      while next < PixelBlock.width, rows[next] == rows[line] {
        bits |= block.rows[next]
        next += 1
      }
      insert(bits, columns, rows[line])
      line = next
    }
  }

  /// Adds the cells of the pixels `bits` in some rows of cells. `columns` has those of each pixel,
  /// from the most significant bit on.
  private mutating func insert(_ bits: UInt64, _ columns: [Range<Int>], _ rows: Range<Int>) {
    var rest = bits
    while rest != 0 {
      let start = rest.leadingZeroBitCount
      let length = (~(rest << UInt64(start))).leadingZeroBitCount
      let end = start + length
      rest = end < 64 ? rest & (~0 >> UInt64(end)) : 0
      let run = columns[start].lowerBound..<columns[end - 1].upperBound
      for row in rows { cells.insert(row: row, columns: run) }
    }
  }
}
