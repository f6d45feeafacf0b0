import Geodesy
import SQLiteLayer

extension StoredZone {
  /// The columns that ``init(row:)`` reads, in order.
  static let columns = "id, name, latitude_e7, longitude_e7, radius, added_at"

  /// Creates a zone from a row of ``columns``.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for impossible values.
  init(row: borrowing Statement) throws(DatabaseError) {
    id = try row.rowID(at: 0, of: "zones")
    name = row.text(at: 1)
    let center = try row.coordinateE7(at: 2, of: "zones, row \(row.int64(at: 0))")
    let radius = row.double(at: 4)
    guard Self.radiusMeters.contains(radius) else {
      throw row.damaged(
        4, of: "zones, row \(row.int64(at: 0))", ": remove the zone with this number")
    }
    zone = PrivacyZone(center: center, radiusMeters: radius)
    addedAt = row.text(at: 5).flatMap(Timestamp.init(iso8601:))
  }
}

extension Connection {
  /// Returns all privacy zones, in the order in which they were added.
  func zones() throws(DatabaseError) -> [StoredZone] {
    let select = try cached("SELECT \(StoredZone.columns) FROM zones ORDER BY id")
    var zones: [StoredZone] = []
    while try select.step() { zones.append(try StoredZone(row: select)) }
    return zones
  }
}
