/// The rows of a coverage that have cells, from south to north, each as runs of columns.
///
/// Reads 64 rows of the tiles of one tile row at a time. Memory is that of the list of keys.
struct CoverageRows: Sequence, IteratorProtocol, Sendable {
  let coverage: Coverage
  private let keys: [Int64]
  /// The tiles of the tile row being read: `keys[first..<end]`.
  private var first = 0
  private var end = 0
  private var tileRow = 0
  /// The row to read next, 0...64.
  private var row = 64

  init(_ coverage: Coverage) {
    self.coverage = coverage
    keys = coverage.orderedKeys
  }

  mutating func next() -> (row: Int, runs: Runs)? {
    let tileColumns = coverage.tileColumnCount
    while true {
      if row == 64 {
        guard end < keys.count else { return nil }
        first = end
        tileRow = Int(keys[first]) / tileColumns
        let nextRow = Int64((tileRow + 1) * tileColumns)
        while end < keys.count, keys[end] < nextRow { end += 1 }
        row = 0
      }
      while row < 64 {
        defer { row += 1 }
        let runs = runs()
        if !runs.isEmpty { return (tileRow << 6 + row, runs) }
      }
    }
  }

  private func runs() -> Runs {
    let state = coverage.table.state.pointee
    let rowStart = Int64(tileRow * coverage.tileColumnCount)
    var runs: Runs = []
    for key in keys[first..<end] {
      guard let words = state.find(TileTable.State.key(ofTile: key, row: row)) else { continue }
      // Sound: the number of a row in its band is below `rows`, and `coverage` keeps the table
      // alive.
      let word = words[row & (TileTable.rows - 1)]
      RunAlgebra.append(word, from: Int32(truncatingIfNeeded: key - rowStart) << 6, to: &runs)
    }
    return runs
  }
}

/// The rows of a coverage that have cells, or a neighbor with cells, each with both its neighbors.
struct RowWindows: Sequence, IteratorProtocol, Sendable {
  private var rows: CoverageRows
  private var feed: RowWindowFeed
  /// The complete windows in reverse order.
  private var ready: [RowWindow] = []
  private var isAtEnd = false

  init(_ coverage: Coverage) {
    rows = CoverageRows(coverage)
    feed = RowWindowFeed(rowCount: coverage.grid.rowCount)
  }

  mutating func next() -> RowWindow? {
    while ready.isEmpty, !isAtEnd {
      if let (row, runs) = rows.next() {
        ready = feed.add(row: row, runs).reversed()
      } else {
        isAtEnd = true
        ready = feed.finish().reversed()
      }
    }
    return ready.popLast()
  }
}
