import Geodesy
import SQLiteLayer

/// The tiles that touch a box, and which of their rows touch it.
struct TileCovering {
  /// The part of a tile that touches the box.
  struct Part {
    /// The geohash of the tile.
    let geohash: Geohash
    /// The tile's row number, counted from the south pole.
    let tileRow: Int
    /// The rows of the tile that touch the box.
    let rows: ClosedRange<Int>
    /// The longitudes to search, in units of 1e-7 degree; they may begin and end outside the tile.
    let westE7: Int32
    let eastE7: Int32

    /// Returns the southern edge of a row, in units of 1e-7 degree.
    func southE7(ofRow row: Int) -> Double {
      Double(tileRow * CachedTile.rowCount + row) * CachedTile.rowHeightE7 - 900_000_000
    }
  }

  private let box: BoundingBox
  private let rows: ClosedRange<Int>

  init(of box: BoundingBox) {
    self.box = box
    let length = CachedTile.length
    rows =
      Geohash.row(
        latitudeE7: box.southE7, length: length)...Geohash.row(
        latitudeE7: box.northE7, length: length)
  }

  /// Number of tiles; across ±180° a tile may be counted twice.
  var count: Int {
    var columns = 0
    box.forEachLongitudeRange { west, east in columns += Self.columns(west, east).count }
    return rows.count * columns
  }

  private static func columns(_ westE7: Int32, _ eastE7: Int32) -> ClosedRange<Int> {
    let length = CachedTile.length
    return Geohash.column(
      longitudeE7: westE7, length: length)...Geohash.column(longitudeE7: eastE7, length: length)
  }

  /// Calls `body` with the part of each tile that touches the box.
  func forEachTile(_ body: (Part) throws(DatabaseError) -> Void) throws(DatabaseError) {
    let (first, last) = (CachedTile.row(box.southE7), CachedTile.row(box.northE7))
    for row in rows {
      let low = row == rows.lowerBound ? first : 0
      let high = row == rows.upperBound ? last : CachedTile.rowCount - 1
      try box.forEachLongitudeRange { (west, east) throws(DatabaseError) in
        for column in Self.columns(west, east) {
          try body(
            Part(
              geohash: Geohash(column: column, row: row, length: CachedTile.length), tileRow: row,
              rows: low...high, westE7: west, eastE7: east))
        }
      }
    }
  }
}
