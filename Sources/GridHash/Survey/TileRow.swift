/// The tiles of one row of tiles.
///
/// - Memory: 516 bytes for each tile. With an exploration radius of 150 m a row has 8,325 of them,
///   which is 4.3 MB; with 10 m, 64 MB; with 1 m, 644 MB, where all of a parallel is explored.
struct TileRow: Sendable {
  private var columns: [Int32] = []
  private var words: [UInt64] = []

  /// Adds a tile. Columns of tiles ascend.
  mutating func append(_ tile: Tile, tileColumn: Int) {
    columns.append(Int32(tileColumn))
    words.append(contentsOf: tile.words)
  }

  /// Removes all tiles; their memory is used again.
  mutating func removeAll() {
    columns.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
  }

  /// The runs of row `row`, 0...63.
  ///
  /// Sound: there are 64 words for each column, and `row` is below 64.
  func runs(row: Int) -> Runs {
    var runs: Runs = []
    columns.withUnsafeBufferPointer { columns in
      words.withUnsafeBufferPointer { words in
        for index in columns.indices {
          RunAlgebra.append(words[index << 6 + row], from: columns[index] << 6, to: &runs)
        }
      }
    }
    return runs
  }
}
