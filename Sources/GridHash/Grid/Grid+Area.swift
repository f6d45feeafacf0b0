extension Grid {
  /// The area of the cells of row `row` that are set in `bits`; bit 0 is the first column of a tile
  /// column.
  @inline(__always)
  func areaSquareMeters(row: Int, tileColumn: Int, bits: UInt64) -> Double {
    areaPerUnitOfLongitude(row: row) * Double(units(tileColumn: tileColumn, bits: bits))
  }

  /// The area of the cells of row `row` that are set in `bits`, in square meters; bit 0 is column
  /// `firstColumn`, the first one of a tile.
  package func areaSquareMeters(row: Int32, firstColumn: Int32, bits: UInt64) -> Double {
    areaSquareMeters(row: Int(row), tileColumn: Int(firstColumn) >> 6, bits: bits)
  }

  /// The sum of the widths of cells, in units. All are one step wide, except for a last column that
  /// is cut short.
  @inline(__always)
  func units(tileColumn: Int, bits: UInt64) -> Int {
    let units = bits.nonzeroBitCount * explorationRadiusMillimeters
    guard let narrow = narrowColumn(tileColumn: tileColumn), bits & narrow.bit != 0 else {
      return units
    }
    return units - narrow.missing
  }

  /// The last column if it lies in a column of tiles: its bit, and how many units narrower than the
  /// others it is.
  @inline(__always)
  func narrowColumn(tileColumn: Int) -> (bit: UInt64, missing: Int)? {
    let last = columnCount - 1
    guard tileColumn == last >> 6 else { return nil }
    return (1 << UInt64(last & 63), columnCount * explorationRadiusMillimeters - Grid.unitsAround)
  }
}

extension Grid {
  /// The area of the set cells of a tile on the authalic sphere, in square meters. Rows are added
  /// from south to north.
  ///
  /// - Precondition: the grid accepts the tile at this key (``accepts(_:at:)``).
  package func areaSquareMeters(of tile: Tile, at key: Int64) -> Double {
    precondition(accepts(tile, at: key), "a tile of another grid")
    let first = firstCell(ofTile: key)
    var sum = 0.0
    for row in 0..<64 where tile[row: row] != 0 {
      sum += areaSquareMeters(
        row: Int(first.row) + row, tileColumn: Int(first.column) >> 6, bits: tile[row: row])
    }
    return sum
  }
}
