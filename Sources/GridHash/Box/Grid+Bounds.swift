import Geodesy

extension Grid {
  /// The shortest range of columns that contains all cells: from `west` eastwards to `east`,
  /// possibly across ±180°. If several are equally short, one that does not cross ±180° is
  /// preferred, then the first eastwards.
  ///
  /// - Parameter columns: the columns with a cell in each column of tiles, ascending.
  func columnSpan(
    of columns: some Sequence<(tileColumn: Int, bits: UInt64)>
  ) -> (west: Int32, east: Int32)? {
    var first: Int32?
    var end: Int32 = 0
    var widest: (gap: Int32, west: Int32, east: Int32)?
    for (tileColumn, bits) in columns {
      RunAlgebra.forEachRun(of: bits, from: Int32(tileColumn << 6)) { run in
        if first == nil {
          first = run.lowerBound
        } else if run.lowerBound - end > widest?.gap ?? 0 {
          widest = (run.lowerBound - end, run.lowerBound, end - 1)
        }
        end = run.upperBound
      }
    }
    guard let first else { return nil }
    // The gap across ±180°.
    if let widest, widest.gap > first + Int32(columnCount) - end {
      return (widest.west, widest.east)
    }
    return (first, end - 1)
  }

  /// The box around rows and columns of cells, with edges rounded to 1e-7 degree.
  func boundingBox(rows: ClosedRange<Int32>, columns: (west: Int32, east: Int32)) -> BoundingBox? {
    let southWest = bounds(of: Cell(row: rows.lowerBound, column: columns.west))
    let northEast = bounds(of: Cell(row: rows.upperBound, column: columns.east))
    // Edges of cells are in range, so this is never nil.
    return try? BoundingBox(
      south: southWest.southDegrees, west: southWest.westDegrees, north: northEast.northDegrees,
      east: northEast.eastDegrees)
  }
}
