/// Tiles are squares of 64 × 64 cells, the unit in which coverage is kept.
///
/// A tile's key is `tile row × tile columns + tile column`, so keys in ascending order run from 90° S, row of
/// tiles by row of tiles, each from 180° W. With 150 m: 4 163 rows (the last of 32 rows of cells) of exactly
/// 8 325 tiles. With 1 m there are 624 375 × 1 248 750 = 7.8e11, so keys stay
/// under 2^40. The last tile row and column may be partial.
extension Grid {
  /// Rows of tiles.
  public var tileRowCount: Int { (rowCount + 63) / 64 }
  /// Columns of tiles.
  public var tileColumnCount: Int { (columnCount + 63) / 64 }
  /// Tiles of the whole grid; keys are `0..<tileCount`.
  public var tileCount: Int { tileRowCount * tileColumnCount }

  /// The key of the tile that holds a cell.
  public func tileKey(of cell: Cell) -> Int64 {
    Int64((Int(cell.row) >> 6) * tileColumnCount + (Int(cell.column) >> 6))
  }

  /// The most southern and western cell of the tile with this key.
  public func firstCell(ofTile key: Int64) -> Cell {
    let (tileRow, tileColumn) = Int(key).quotientAndRemainder(dividingBy: tileColumnCount)
    return Cell(row: Int32(tileRow << 6), column: Int32(tileColumn << 6))
  }

  /// Which bits of row `row` of the tile with this key are cells of the grid: all of them, except in a
  /// partial tile at the end of a row of tiles or in the last row of tiles.
  func validBits(ofTile key: Int64, row: Int) -> UInt64 {
    let first = firstCell(ofTile: key)
    guard Int(first.row) + row < rowCount else { return 0 }
    let columns = columnCount - Int(first.column)
    return columns >= 64 ? ~0 : (1 << UInt64(columns)) - 1
  }
}
