import Geodesy

/// The cells of a grid whose center lies in a box, edges included. The box may cross ±180°.
///
/// Centers and edges are compared as integers (see ``Grid``), so the answer is always exact.
package struct CellBox: Hashable, Sendable {
  /// The grid of the cells.
  package let grid: Grid
  /// The box.
  package let box: BoundingBox
  /// The rows whose center lies between the parallels.
  let rows: Range<Int>
  /// The columns whose center lies between the meridians: one range, two if the box crosses ±180°,
  /// or none. Ascending and disjoint.
  let columnRanges: [Range<Int>]

  /// Creates the set of the cells of `grid` in `box`.
  package init(grid: Grid, box: BoundingBox) {
    self.grid = grid
    self.box = box
    func parts(_ angleE7: Int32, from: Int) -> Int { (Int(angleE7) + from) * 444 }
    rows = CellBox.indices(
      of: grid.rowCount, from: parts(box.southE7, from: 900_000_000),
      through: parts(box.northE7, from: 900_000_000), center: grid.rowCenterParts)
    columnRanges = box.longitudeRangesE7
      .map { range in
        CellBox.indices(
          of: grid.columnCount, from: parts(range.lowerBound, from: 1_800_000_000),
          through: parts(range.upperBound, from: 1_800_000_000), center: grid.columnCenterParts)
      }
      .filter { !$0.isEmpty }
      .sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The rows or columns whose center lies in `from...through`. Centers must ascend.
  private static func indices(
    of count: Int, from: Int, through: Int, center: (Int) -> Int
  ) -> Range<Int> {
    /// The first index whose center is at least, or more than, a limit.
    func first(_ isReached: (Int) -> Bool) -> Int {
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if isReached(center(middle)) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let start = first { $0 >= from }
    return start..<max(start, first { $0 > through })
  }

  /// Returns true if a cell's center lies in the box; false if the grid does not have the cell.
  package func contains(_ cell: Cell) -> Bool {
    rows.contains(Int(cell.row)) && columnRanges.contains { $0.contains(Int(cell.column)) }
  }

  /// The number of cells.
  package var cellCount: Int { rows.count * columnRanges.reduce(0) { $0 + $1.count } }

  /// The area of the cells on the authalic sphere, in square meters.
  ///
  /// - Complexity: O(rows).
  package var areaSquareMeters: Double {
    let units = columnRanges.reduce(0) { sum, columns in
      sum + grid.columnEdges(columns.upperBound - 1).east
        - grid.columnEdges(columns.lowerBound).west
    }
    return rows.reduce(0) { $0 + grid.areaPerUnitOfLongitude(row: $1) } * Double(units)
  }

  /// The cells of a tile that lie in the box.
  ///
  /// - Precondition: the grid has the key.
  package func clipped(_ tile: Tile, at key: Int64) -> Tile {
    let first = grid.firstCell(ofTile: key)
    let firstRow = Int(first.row)
    let mask = mask(firstColumn: Int(first.column))
    var result = Tile()
    for row in rows.clamped(to: firstRow..<firstRow + 64) {
      result[row: row - firstRow] = tile[row: row - firstRow] & mask
    }
    return result
  }

  /// The runs of row `row` that lie in the box.
  func clipped(_ runs: Runs, row: Int) -> Runs {
    guard rows.contains(row) else { return [] }
    var clipped: Runs = []
    for run in runs {
      for columns in columnRanges {
        let inside = run.clamped(to: Int32(columns.lowerBound)..<Int32(columns.upperBound))
        if !inside.isEmpty { clipped.append(inside) }
      }
    }
    return clipped
  }

  /// The columns in the box among 64 consecutive columns, as bits.
  private func mask(firstColumn: Int) -> UInt64 {
    var mask: UInt64 = 0
    for columns in columnRanges {
      let inside = columns.clamped(to: firstColumn..<firstColumn + 64)
      if inside.isEmpty { continue }
      mask |= (~0 >> UInt64(64 - inside.count)) << UInt64(inside.lowerBound - firstColumn)
    }
    return mask
  }

  /// The cells in the box among 64 consecutive cells of a row, as bits.
  func mask(row: Int, firstColumn: Int) -> UInt64 {
    rows.contains(row) ? mask(firstColumn: firstColumn) : 0
  }

  /// A range of keys that includes all tiles of the cells, and others too; nil if there are no
  /// cells.
  package var tileKeys: ClosedRange<Int64>? {
    guard let firstRow = rows.first, let lastRow = rows.last, let firstColumns = columnRanges.first,
      let lastColumns = columnRanges.last
    else { return nil }
    let first = Cell(row: Int32(firstRow), column: Int32(firstColumns.lowerBound))
    let last = Cell(row: Int32(lastRow), column: Int32(lastColumns.upperBound - 1))
    return grid.tileKey(of: first)...grid.tileKey(of: last)
  }
}
