/// Adds up the area of cells row by row.
///
/// - Guarantee: the same cells give the same bits of the Double. Widths are added up as integers
///   for each row, and rows from south to north with compensated summation, so the relative error
///   stays below 1e-14.
struct AreaSum {
  private let grid: Grid
  private var sum = 0.0
  private var compensation = 0.0
  /// The widths of the cells in each row of a row of tiles.
  private var units = [Int](repeating: 0, count: 64)
  private var tileRow = -1

  /// Creates an empty sum.
  init(grid: Grid) { self.grid = grid }

  /// Adds rows of a tile and returns the number of their cells. The first word is that of the first
  /// row.
  ///
  /// Sound: `words` points to a word for each of `rows`, which lie within 0..<64, the elements of
  /// `units`. The caller keeps the words alive during the call.
  ///
  /// - Precondition: rows of tiles come from south to north; within one, tiles in any order.
  @discardableResult
  mutating func add(
    _ words: UnsafePointer<UInt64>, rows: Range<Int>, tileRow: Int, tileColumn: Int
  ) -> Int {
    if tileRow != self.tileRow {
      finishTileRow()
      self.tileRow = tileRow
    }
    let step = grid.explorationRadiusMillimeters
    let narrow = grid.narrowColumn(tileColumn: tileColumn)
    return units.withUnsafeMutableBufferPointer { units in
      var cells = 0
      for row in rows {
        let bits = words[row &- rows.lowerBound]
        if bits == 0 { continue }
        let count = bits.nonzeroBitCount
        cells &+= count
        units[row] &+= count &* step
        if let narrow, bits & narrow.bit != 0 { units[row] &-= narrow.missing }
      }
      return cells
    }
  }

  /// The area of all added cells, in square meters.
  var squareMeters: Double {
    var copy = self
    copy.finishTileRow()
    return copy.sum + copy.compensation
  }

  private mutating func finishTileRow() {
    for row in 0..<64 where units[row] > 0 {
      // Neumaier's sum: the part lost by rounding is kept separately.
      let area = grid.areaPerUnitOfLongitude(row: tileRow << 6 + row) * Double(units[row])
      let next = sum + area
      compensation += sum.magnitude >= area.magnitude ? (sum - next) + area : (area - next) + sum
      sum = next
      units[row] = 0
    }
  }
}
