import Geodesy

extension Coverage {
  /// The area of the explored cells on the authalic sphere, in square meters: Σ R²·Δλ·(sin φ₂ − sin
  /// φ₁).
  ///
  /// - Guarantee: the same cells give the same bits of the Double; the relative error stays below
  ///   1e-14.
  /// - Complexity: O(tiles · log tiles).
  package var areaSquareMeters: Double {
    var area = AreaSum(grid: grid)
    let state = table.state.pointee
    // Sound: the first `count` keys are initialized, and this value keeps their table alive.
    for key in UnsafeBufferPointer(start: state.keys, count: state.count).sorted() {
      guard let words = state.find(key) else { continue }
      let (row, column) = Int(TileTable.State.tile(ofBand: key)).quotientAndRemainder(
        dividingBy: grid.tileColumnCount)
      let first = TileTable.State.firstRow(ofBand: key)
      area.add(words, rows: first..<first + TileTable.rows, tileRow: row, tileColumn: column)
    }
    return area.squareMeters
  }

  /// The explored area in square kilometers.
  public var areaSquareKilometers: Double { areaSquareMeters / 1e6 }

  /// The explored area as a percentage of the surface of the Earth, land and sea.
  public var worldPercentage: Double { areaSquareMeters / AuthalicSphere.areaSquareMeters * 100 }

  /// The explored cells as a percentage of all cells, as in the Roqua app. It grows with latitude
  /// (see `Grid.cellPercentage(ofCells:)`).
  package var cellPercentage: Double { grid.cellPercentage(ofCells: count) }
}
