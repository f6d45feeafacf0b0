import Geodesy
import SQLiteLayer

/// The pages that touch a box, and which of their rows do.
struct TileCovering {
  /// What of a page touches the box.
  struct Part {
    /// The page.
    let geohash: Geohash
    /// The page's number from the south pole.
    let pageRow: Int
    /// Its rows that touch the box.
    let rows: ClosedRange<Int>
    /// The longitudes to look at, in units of 1e-7 degree; they may begin and end outside the page.
    let westE7: Int32
    let eastE7: Int32

    /// The parallel, in units of 1e-7 degree, that a row begins at.
    func southE7(ofRow row: Int) -> Double {
      Double(pageRow * CachedTile.rowCount + row) * CachedTile.rowHeightE7 - 900_000_000
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

  /// Number of pages; across ±180° one may count twice.
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

  /// Calls `body` with what of each page touches the box.
  func forEachPage(_ body: (Part) throws(DatabaseError) -> Void) throws(DatabaseError) {
    let (first, last) = (CachedTile.row(box.southE7), CachedTile.row(box.northE7))
    for row in rows {
      let low = row == rows.lowerBound ? first : 0
      let high = row == rows.upperBound ? last : CachedTile.rowCount - 1
      try box.forEachLongitudeRange { (west, east) throws(DatabaseError) in
        for column in Self.columns(west, east) {
          try body(
            Part(
              geohash: Geohash(column: column, row: row, length: CachedTile.length), pageRow: row,
              rows: low...high, westE7: west, eastE7: east))
        }
      }
    }
  }
}
