extension Grid {
  /// The area of the cells of row `row` that are set in `bits`, bit 0 being the first column of a tile column.
  @inline(__always)
  func areaSquareMeters(row: Int, tileColumn: Int, bits: UInt64) -> Double {
    areaPerUnitOfLongitude(row: row) * Double(units(tileColumn: tileColumn, bits: bits))
  }

  /// The sum of the widths of cells, in units: all are one step wide, but for a last column that is cut.
  @inline(__always)
  func units(tileColumn: Int, bits: UInt64) -> Int {
    var units = bits.nonzeroBitCount * explorationRadiusMillimeters
    let last = columnCount - 1
    if tileColumn == last >> 6, bits >> UInt64(last & 63) & 1 == 1 {
      units -= columnCount * explorationRadiusMillimeters - Grid.unitsAround
    }
    return units
  }
}

extension Grid {
  /// The area of the set cells of a tile on the authalic sphere, in square metres; rows from south to north.
  ///
  /// - Precondition: the grid accepts the tile at this key (``accepts(_:at:)``).
  public func areaSquareMeters(of tile: Tile, at key: Int64) -> Double {
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

extension Coverage {
  /// The area of the explored cells on the authalic sphere, in square metres: Σ R²·Δλ·(sin φ₂ − sin φ₁).
  ///
  /// - Guarantee: the same cells give the same bits of the Double. Widths are added up as integers for each
  ///   row, and rows from south to north with a running compensation, so the relative error stays below 1e-14.
  /// - Complexity: O(tiles · log tiles).
  public var areaSquareMeters: Double {
    var sum = 0.0
    var compensation = 0.0
    var units = [Int](repeating: 0, count: 64)
    var tileRow = -1
    func addRows() {
      for row in 0..<64 where units[row] > 0 {
        // Neumaier's sum: what rounding drops is kept aside.
        let area = grid.areaPerUnitOfLongitude(row: tileRow << 6 + row) * Double(units[row])
        let next = sum + area
        compensation += sum.magnitude >= area.magnitude ? (sum - next) + area : (area - next) + sum
        sum = next
        units[row] = 0
      }
    }
    let state = table.state.pointee
    for key in UnsafeBufferPointer(start: state.keys, count: state.count).sorted() {
      guard let words = state.find(key) else { continue }
      let (row, column) = Int(TileTable.State.tile(ofBand: key)).quotientAndRemainder(
        dividingBy: grid.tileColumnCount)
      if row != tileRow {
        addRows()
        tileRow = row
      }
      let first = TileTable.State.firstRow(ofBand: key)
      for row in 0..<TileTable.rows where words[row] != 0 {
        units[first + row] += grid.units(tileColumn: column, bits: words[row])
      }
    }
    addRows()
    return sum + compensation
  }

  /// The explored area in square kilometres.
  public var areaSquareKilometers: Double { areaSquareMeters / 1e6 }

  /// The explored area as a percentage of the surface of the Earth, land and sea.
  public var worldPercentage: Double { areaSquareMeters / AuthalicSphere.areaSquareMeters * 100 }

  /// The explored cells as a percentage of all cells: the Roqua app's number, which grows with latitude
  /// (see ``Grid/cellPercentage(ofCells:)``).
  public var cellPercentage: Double { grid.cellPercentage(ofCells: count) }
}
