/// The rows of a coverage that have cells, from south to north, each as runs of columns.
///
/// Reads 64 rows of the tiles of one tile row at a time; memory is that of the list of keys.
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
      guard var word = state.find(TileTable.State.key(ofTile: key, row: row))?[row & (TileTable.rows - 1)]
      else { continue }
      var column = Int32(truncatingIfNeeded: key - rowStart) << 6
      while word != 0 {
        let skipped = word.trailingZeroBitCount
        word >>= UInt64(skipped)
        let length = (~word).trailingZeroBitCount
        column += Int32(skipped)
        RunAlgebra.append(column..<column + Int32(length), to: &runs)
        word = length == 64 ? 0 : word >> UInt64(length)
        column += Int32(length)
      }
    }
    return runs
  }
}

/// Each row of a coverage that has cells, or a neighbour with cells, with both its neighbours.
struct RowWindows: Sequence, IteratorProtocol, Sendable {
  private var rows: CoverageRows
  private var upcoming: (row: Int, runs: Runs)?
  private var row = -1
  private var below: Runs = []
  private var middle: Runs = []
  private var above: Runs = []
  private let rowCount: Int

  init(_ coverage: Coverage) {
    rows = CoverageRows(coverage)
    rowCount = coverage.grid.rowCount
    upcoming = rows.next()
    take(row: 0)
  }

  /// Makes `above` the runs of `row`, if it is the next with cells.
  private mutating func take(row: Int) {
    if let next = upcoming, next.row == row {
      above = next.runs
      upcoming = rows.next()
    } else {
      above = []
    }
  }

  mutating func next() -> (row: Int, below: Runs, middle: Runs, above: Runs)? {
    while true {
      if middle.isEmpty, above.isEmpty {
        // Nothing near: go on just below the next row with cells.
        guard let next = upcoming else { return nil }
        row = Swift.max(row, next.row - 2)
      }
      row += 1
      guard row < rowCount else { return nil }
      (below, middle) = (middle, above)
      take(row: row + 1)
      if !(below.isEmpty && middle.isEmpty && above.isEmpty) { return (row, below, middle, above) }
    }
  }
}
