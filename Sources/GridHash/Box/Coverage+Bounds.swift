import Geodesy

extension Coverage {
  /// The shortest run of columns, on around ±180°, that holds every explored cell: from `west` eastwards to `east`,
  /// with `west` > `east` where it crosses ±180°. Nil where nothing is explored.
  ///
  /// Of several, one that does not cross ±180° where there is one, else the first eastwards from 180° W.
  public var columnSpan: (west: Int32, east: Int32)? {
    // Which columns hold a cell, by tile column.
    var columns: [Int: UInt64] = [:]
    let state = table.state.pointee
    for index in 0..<state.count {
      let words = state.words(at: index)
      let all = (0..<TileTable.rows).reduce(0) { $0 | words[$1] }
      columns[Int(TileTable.State.tile(ofBand: state.keys[index])) % tileColumnCount, default: 0] |= all
    }
    var runs: Runs = []
    for (tileColumn, bits) in columns.sorted(by: { $0.key < $1.key }) {
      for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 {
        let column = Int32(tileColumn << 6 + bit)
        RunAlgebra.append(column..<column + 1, to: &runs)
      }
    }
    guard let first = runs.first, let last = runs.last else { return nil }
    var best = (west: first.lowerBound, east: last.upperBound - 1)
    var widestGap = first.lowerBound + Int32(grid.columnCount) - last.upperBound
    for (left, right) in zip(runs, runs.dropFirst()) where right.lowerBound - left.upperBound > widestGap {
      widestGap = right.lowerBound - left.upperBound
      best = (right.lowerBound, left.upperBound - 1)
    }
    return best
  }

  /// The smallest box around the explored cells, across ±180° where that is shorter, with edges rounded to 1e-7
  /// degree. Nil where nothing is explored.
  public var bounds: BoundingBox? {
    guard let rows = rowBounds, let columns = columnSpan else { return nil }
    let southWest = grid.bounds(of: Cell(row: rows.lowerBound, column: columns.west))
    let northEast = grid.bounds(of: Cell(row: rows.upperBound, column: columns.east))
    // Edges of cells are in range, so this never is nil.
    return try? BoundingBox(
      south: southWest.southDegrees, west: southWest.westDegrees, north: northEast.northDegrees,
      east: northEast.eastDegrees)
  }
}
