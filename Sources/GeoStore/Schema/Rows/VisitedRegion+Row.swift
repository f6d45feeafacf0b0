import SQLiteLayer

extension VisitedRegion {
  /// The columns that ``init(row:names:)`` reads, in order.
  static let columns = """
    id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, country_code, \
    country, region, district, city, accuracy
    """

  /// A region from a row of ``columns``.
  ///
  /// - Parameter names: keeps one object for equal names; nil makes one for each region.
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for a value that no writer puts there.
  init(row: borrowing Statement, names: PlaceNamesPool? = nil) throws(DatabaseError) {
    let id = try row.rowID(at: 0, of: "visited_regions")
    var rowName: String { "visited_regions, row \(id)" }
    let names = names ?? PlaceNamesPool()
    self.init(
      id: id, coordinate: try row.coordinate(at: 1, of: rowName),
      radiusMeters: try row.int(at: 3, in: StoredRange.radiusMeters, of: rowName),
      timestampStart: try row.optionalTextTime(at: 4, of: rowName),
      timestampEnd: try row.optionalTextTime(at: 5, of: rowName),
      visitCount: try row.int(at: 6, in: StoredRange.regionVisits, of: rowName),
      names: try names.shared(row, from: 7),
      accuracyMeters: try row.optionalNumber(at: 12, of: rowName))
  }
}

/// Names of places as regions are read: one object for equal names.
///
/// Neighbors mostly share a place, so rows are told apart by their bytes, and texts are made for
/// new names only.
final class PlaceNamesPool {
  private var known: [[UInt8]: SharedPlaceNames] = [:]
  private var last: (key: [UInt8], names: SharedPlaceNames)?
  private var key: [UInt8] = []

  /// The object of the names in five columns of a row: country code, country, region, district,
  /// city.
  func shared(_ row: borrowing Statement, from column: Int32) throws(DatabaseError)
    -> SharedPlaceNames
  {
    key.removeAll(keepingCapacity: true)
    for column in column..<column + 5 {
      // Told from an empty text, and ended: no UTF-8 has these bytes.
      key.append(row.isNull(at: column) ? 0xFE : 0xFF)
      try row.withBytes(at: column) { key.append(contentsOf: $0) }
    }
    if let last, last.key == key { return last.names }
    let names =
      known[key]
      ?? SharedPlaceNames(
        PlaceNames(
          countryCode: row.text(at: column), country: row.text(at: column + 1),
          region: row.text(at: column + 2), district: row.text(at: column + 3),
          city: row.text(at: column + 4)
        ))
    known[key] = names
    last = (key, names)
    return names
  }

  /// Bytes that the names take, roughly.
  var byteCount: Int {
    known.keys.reduce(0) { $0 + 100 + $1.count }
  }
}
