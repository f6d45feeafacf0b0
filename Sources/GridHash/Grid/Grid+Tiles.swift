import Geodesy

/// Tiles are squares of 64 × 64 cells, the unit in which coverage is stored.
///
/// A tile's key is `tile row × tile columns + tile column`, so ascending keys run from 90° S
/// northwards by row of tiles, each row from 180° W eastwards. At 150 m there are 4 163 rows (the
/// last with 32 rows of cells) of exactly 8 325 tiles. At 1 m there are 624 375 × 1 248 750 =
/// 7.8e11 tiles, so keys stay under 2^40. The last tile row and column may be partial.
extension Grid {
  /// The number of rows of tiles.
  package var tileRowCount: Int { (rowCount + 63) / 64 }
  /// The number of columns of tiles.
  package var tileColumnCount: Int { (columnCount + 63) / 64 }
  /// The number of tiles of the grid; keys are `0..<tileCount`.
  package var tileCount: Int { tileRowCount * tileColumnCount }

  /// The key of the tile that contains a cell.
  package func tileKey(of cell: Cell) -> Int64 {
    Int64((Int(cell.row) >> 6) * tileColumnCount + (Int(cell.column) >> 6))
  }

  /// The southwestern cell of the tile with this key.
  package func firstCell(ofTile key: Int64) -> Cell {
    let (tileRow, tileColumn) = Int(key).quotientAndRemainder(dividingBy: tileColumnCount)
    return Cell(row: Int32(tileRow << 6), column: Int32(tileColumn << 6))
  }

  /// The bits of row `row` of a tile that are cells of the grid: all of them, except in a partial
  /// tile at the end of a row of tiles or in the last row of tiles.
  func validBits(ofTile key: Int64, row: Int) -> UInt64 {
    let first = firstCell(ofTile: key)
    guard Int(first.row) + row < rowCount else { return 0 }
    let columns = columnCount - Int(first.column)
    return columns >= 64 ? ~0 : (1 << UInt64(columns)) - 1
  }

  /// The edges of the part of a tile that lies on the grid.
  ///
  /// - Precondition: the grid has the key.
  package func tileBounds(_ key: Int64) -> CellBounds {
    let first = firstCell(ofTile: key)
    let southWest = bounds(of: first)
    let northEast = bounds(
      of: Cell(
        row: min(first.row + 63, Int32(rowCount - 1)),
        column: min(first.column + 63, Int32(columnCount - 1)))
    )
    return CellBounds(
      southDegrees: southWest.southDegrees, westDegrees: southWest.westDegrees,
      northDegrees: northEast.northDegrees, eastDegrees: northEast.eastDegrees)
  }

  /// The middle of the part of a tile that lies on the grid.
  ///
  /// - Precondition: the grid has the key.
  package func middle(ofTile key: Int64) -> Coordinate? {
    let bounds = tileBounds(key)
    return try? Coordinate(
      latitudeDegrees: (bounds.southDegrees + bounds.northDegrees) / 2,
      longitudeDegrees: (bounds.westDegrees + bounds.eastDegrees) / 2)
  }

  /// The tile with this key, with all its cells set.
  ///
  /// - Precondition: the grid has the key.
  package func fullTile(at key: Int64) -> Tile {
    Tile(rows: (0..<64).map { validBits(ofTile: key, row: $0) })
  }

  /// The keys of the tiles that a box touches, ascending. The box may cross ±180°.
  package func tileKeys(touching box: BoundingBox) -> [Int64] {
    func index(_ angleE7: Int32, from: Int, count: Int) -> Int {
      min((Int(angleE7) + from) * 222 / (10 * explorationRadiusMillimeters), count - 1) >> 6
    }
    let tileRows =
      index(
        box.southE7, from: 900_000_000, count: rowCount)...index(
        box.northE7, from: 900_000_000, count: rowCount)
    var keys: Set<Int64> = []
    for range in box.longitudeRangesE7 {
      let tileColumns =
        index(
          range.lowerBound, from: 1_800_000_000, count: columnCount)...index(
          range.upperBound, from: 1_800_000_000, count: columnCount)
      for row in tileRows {
        for column in tileColumns { keys.insert(Int64(row * tileColumnCount + column)) }
      }
    }
    return keys.sorted()
  }
}
