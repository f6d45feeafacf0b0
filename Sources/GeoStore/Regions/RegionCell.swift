import Geodesy

/// The squares of 0.01° by which regions are found: rows from the south pole, columns from 180° W.
///
/// `visited_regions.cell` is `row × 36 000 + column`, so that a run of columns in one row is a run of integers,
/// and so are whole rows.
enum RegionCell {
  /// Edge of a square in units of 1e-7 degree: 0.01°, 1.1 km of latitude.
  static let edgeE7: Int64 = 100_000
  /// Squares around a parallel.
  static let columns: Int64 = 36_000

  static func row(latitudeE7: Int32) -> Int64 { (Int64(latitudeE7) + 900_000_000) / edgeE7 }

  /// 180° E, the end of a range, counts to the last column.
  static func column(longitudeE7: Int32) -> Int64 {
    min(columns - 1, (Int64(longitudeE7) + 1_800_000_000) / edgeE7)
  }

  /// The number of the square that holds a coordinate.
  static func cell(_ coordinate: Coordinate) -> Int64 {
    row(latitudeE7: coordinate.latitudeE7) * columns + column(longitudeE7: coordinate.longitudeE7)
  }

  /// The runs of cells that cover a box: one for each row and run of longitude, or, where there would be more
  /// than `limit` of them, one run from the first row to the last.
  static func runs(covering box: BoundingBox, limit: Int = 2_000) -> [ClosedRange<Int64>] {
    let rows = row(latitudeE7: box.southE7)...row(latitudeE7: box.northE7)
    let ranges = box.longitudeRangesE7
    guard rows.count * ranges.count <= limit else {
      return [rows.lowerBound * columns...(rows.upperBound + 1) * columns - 1]
    }
    return rows.flatMap { row in
      ranges.map { range in
        row * columns + column(longitudeE7: range.lowerBound)...row * columns
          + column(longitudeE7: range.upperBound)
      }
    }
  }
}
