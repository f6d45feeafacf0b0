import Geodesy

/// Finds the smallest box around single tiles.
///
/// - Memory: 8 bytes for each column of tiles of the grid.
struct BoundsTally: Sendable {
  private let grid: Grid
  private var south = Int32.max
  private var north = Int32.min
  /// The columns that contain a cell, by column of tiles.
  private var columns: [UInt64]

  /// Creates a tally without tiles.
  init(grid: Grid) {
    self.grid = grid
    columns = [UInt64](repeating: 0, count: grid.tileColumnCount)
  }

  /// Adds a tile of the grid.
  mutating func add(_ tile: Tile, tileRow: Int, tileColumn: Int) {
    let (first, last, all) = tile.withWords { words in
      var (first, last, all) = (64, -1, UInt64(0))
      for row in 0..<64 where words[row] != 0 {
        if first == 64 { first = row }
        last = row
        all |= words[row]
      }
      return (first, last, all)
    }
    guard all != 0 else { return }
    columns[tileColumn] |= all
    south = min(south, Int32(tileRow << 6 + first))
    north = max(north, Int32(tileRow << 6 + last))
  }

  /// The box; nil if no cell was added.
  var bounds: BoundingBox? {
    let marked = columns.enumerated().lazy.filter { $0.element != 0 }
      .map { (tileColumn: $0.offset, bits: $0.element) }
    guard let span = grid.columnSpan(of: marked) else { return nil }
    return grid.boundingBox(rows: south...north, columns: span)
  }
}
