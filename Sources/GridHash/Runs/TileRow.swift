/// The tiles of one row of tiles.
///
/// - Memory: 516 bytes for each tile. At an exploration radius of 150 m a full row has 8,325 tiles,
///   which take 4.3 MB; at 10 m it takes 64 MB, at 1 m 644 MB.
struct TileRow: Sendable {
  private var columns: [Int32] = []
  private var words: [UInt64] = []

  /// Adds a tile. Columns of tiles must ascend.
  mutating func append(_ tile: Tile, tileColumn: Int) {
    columns.append(Int32(tileColumn))
    words.append(contentsOf: tile.words)
  }

  /// Removes all tiles but keeps their memory for reuse.
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
