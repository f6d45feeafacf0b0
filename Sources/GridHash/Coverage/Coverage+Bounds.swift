import Geodesy

extension Coverage {
  /// The shortest range of columns that contains every explored cell: from `west` eastwards to
  /// `east`, with `west` > `east` if it crosses ±180°. Nil if nothing is explored.
  ///
  /// If several are equally short, one that does not cross ±180° is preferred, then the first
  /// eastwards from 180° W.
  package var columnSpan: (west: Int32, east: Int32)? {
    // The columns that contain a cell, by tile column.
    var columns: [Int: UInt64] = [:]
    let state = table.state.pointee
    for index in 0..<state.count {
      // Sound: `index` is below `count`, and a band has `rows` words.
      let words = state.words(at: index)
      let all = (0..<TileTable.rows).reduce(0) { $0 | words[$1] }
      columns[Int(TileTable.State.tile(ofBand: state.keys[index])) % tileColumnCount, default: 0] |=
        all
    }
    let ascending = columns.sorted { $0.key < $1.key }.map { (tileColumn: $0.key, bits: $0.value) }
    return grid.columnSpan(of: ascending)
  }

  /// The smallest box around the explored cells, across ±180° if that is shorter, with edges
  /// rounded to 1e-7 degree. Nil if nothing is explored.
  public var bounds: BoundingBox? {
    guard let rows = rowBounds, let columns = columnSpan else { return nil }
    return grid.boundingBox(rows: rows, columns: columns)
  }
}
