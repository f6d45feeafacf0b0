/// Geohashes of one length as the cells of a grid: columns from 180° W, rows from the south pole.
extension Geohash {
  /// The number of bits of longitude: there are 2 to this power columns. `length` is 1...12.
  static func longitudeBits(length: Int) -> Int { (5 * length + 1) / 2 }
  /// The number of bits of latitude: there are 2 to this power rows. `length` is 1...12.
  static func latitudeBits(length: Int) -> Int { 5 * length / 2 }

  /// The column of a longitude in units of 1e-7 degree. 180° E belongs to the last column. `length`
  /// is 1...12.
  package static func column(longitudeE7: Int32, length: Int) -> Int {
    // ⌊(λ + 180) / 360 × 2ⁿ⌋, in integers.
    let bits = longitudeBits(length: length)
    let x =
      (UInt64(Int64(longitudeE7) + 1_800_000_000) << UInt64(bits)) / UInt64(Coordinate.unitsPerTurn)
    return min(Int(x), (1 << bits) - 1)
  }

  /// The row of a latitude in units of 1e-7 degree. The north pole belongs to the last row.
  /// `length` is 1...12.
  package static func row(latitudeE7: Int32, length: Int) -> Int {
    let bits = latitudeBits(length: length)
    let y = (UInt64(Int64(latitudeE7) + 900_000_000) << UInt64(bits)) / 1_800_000_000
    return min(Int(y), (1 << bits) - 1)
  }

  /// The westernmost longitude of a column in units of 1e-7 degree. The column after the last gives
  /// 180° E. `length` is 1...12.
  ///
  /// - Guarantee: the longitude lies in the column, and 1e-7 degree less in the previous one: with
  ///   twelve characters a column is 3.4 such units wide, and a row 1.7 high.
  package static func firstLongitudeE7(column: Int, length: Int) -> Int32 {
    first(of: column, bits: longitudeBits(length: length), halfSpan: 1_800_000_000)
  }

  /// The southernmost latitude of a row in units of 1e-7 degree. The row after the last gives the
  /// north pole. `length` is 1...12.
  ///
  /// - Guarantee: the same as for columns.
  package static func firstLatitudeE7(row: Int, length: Int) -> Int32 {
    first(of: row, bits: latitudeBits(length: length), halfSpan: 900_000_000)
  }

  /// ⌈index × 2 × half ÷ 2ⁿ⌉ - half, in integers: at most 2³⁰ × 3.6e9, which is below 2⁶².
  private static func first(of index: Int, bits: Int, halfSpan: Int64) -> Int32 {
    let cells = Int64(1) << Int64(bits)
    return Int32((Int64(index) * 2 * halfSpan + cells - 1) / cells - halfSpan)
  }

  /// Creates the geohash of a column and a row.
  ///
  /// - Precondition: both are on the grid of `length`, which is 1...12.
  package init(column: Int, row: Int, length: Int) {
    precondition((1...12).contains(length), "a geohash has 1...12 characters")
    let (x, y) = (UInt64(column), UInt64(row))
    precondition(
      x >> UInt64(Self.longitudeBits(length: length)) == 0
        && y >> UInt64(Self.latitudeBits(length: length)) == 0,
      "off the grid")
    // With an even number of bits the last one is latitude's, with an odd number longitude's.
    let bits =
      length % 2 == 0 ? Self.spread(x) << 1 | Self.spread(y) : Self.spread(x) | Self.spread(y) << 1
    self.init(bits: bits, length: length)
  }

  /// The range of texts of this geohash and all longer ones that begin with it: at least `from`,
  /// less than `below`.
  ///
  /// `{` follows `z` in ASCII, so it is greater than any character of a geohash.
  package var textRange: (from: String, below: String) { (description, description + "{") }

  /// The cells of one length that touch a box, in rows from the south, each row from west to east.
  ///
  /// - Parameter length: 1...12.
  package struct Cover: Sendable {
    /// The rows, from the south.
    package let rows: ClosedRange<Int>
    /// One or two runs of columns that do not overlap.
    package let columns: [ClosedRange<Int>]

    /// Creates the covering of `box`.
    package init(of box: BoundingBox, length: Int) {
      rows =
        Geohash.row(
          latitudeE7: box.southE7, length: length)...Geohash.row(
          latitudeE7: box.northE7, length: length)
      let runs = box.longitudeRangesE7.map { range in
        Geohash.column(
          longitudeE7: range.lowerBound, length: length)...Geohash.column(
            longitudeE7: range.upperBound, length: length)
      }
      // Across ±180° both runs may end in the same column, if the box leaves out only part of it.
      if runs.count == 2, runs[1].upperBound >= runs[0].lowerBound {
        columns = [
          min(runs[0].lowerBound, runs[1].lowerBound)...max(runs[0].upperBound, runs[1].upperBound)
        ]
      } else {
        columns = runs
      }
    }

    /// The number of cells.
    package var count: Int { rows.count * columns.reduce(0) { $0 + $1.count } }
  }
}
