import Geodesy
import SQLiteLayer

/// Writes regions that have changed as rows of `visited_regions` and `visits`.
final class RegionRows {
  /// What rows that are written now say of when, in ISO 8601.
  var now: String
  private let connection: Connection
  private let radiusMeters: Int64
  private let places: @Sendable (Coordinate) -> PlaceNames
  /// Whether some region has visits that only an adopted row knows of.
  private let hasStatedVisits: Bool
  private let batch: RowBatch
  private let insert: Statement
  private let update: Statement
  private let updateStart: Statement
  private let deleteVisit: Statement
  private let insertVisits: Statement

  /// Regions that ``write(_:of:)`` takes at most: after them, SQLite's pages are counted.
  static let capacity = 512

  /// Prepares for writing. `places` names the place of each new region's center.
  init(
    connection: Connection, radiusMeters: Int64, now: Timestamp,
    places: @escaping @Sendable (Coordinate) -> PlaceNames
  ) throws(DatabaseError) {
    self.connection = connection
    self.radiusMeters = radiusMeters
    self.now = now.iso8601
    self.places = places
    hasStatedVisits = try connection.integer("SELECT EXISTS (SELECT 1 FROM stated_visits)") == 1
    batch = try connection.rowBatch()
    insert = try Statement(
      """
      INSERT INTO visited_regions (id, latitude, longitude, radius, timestamp_start, timestamp_end,
        visit_count, city, district, country, country_code, geohash, accuracy, created_at, \
      updated_at, region)
      SELECT c0, c1, c2, ?1, c3, c4, c5, c6, c7, c8, c9, c10, c11, ?2, ?2, c12 \
      FROM \(RowBatch.tableName)
      """, on: connection)
    update = try Statement(
      """
      UPDATE visited_regions SET timestamp_end = ?2, visit_count = ?3, updated_at = ?4 WHERE id = ?1
      """, on: connection)
    // Apart, because it is in an index, which SQLite writes whether or not the value is another
    // one.
    updateStart = try Statement(
      "UPDATE visited_regions SET timestamp_start = ?2 WHERE id = ?1", on: connection)
    deleteVisit = try Statement(
      "DELETE FROM visits WHERE region_id = ?1 AND start_ms = ?2", on: connection)
    insertVisits = try Statement(
      "INSERT INTO visits (region_id, start_ms, end_ms) SELECT c0, c1, c2 "
        + "FROM \(RowBatch.tableName)",
      on: connection)
  }

  /// Writes some of a list of regions, new ones before their visits.
  ///
  /// - Precondition: there are at most ``capacity`` indexes.
  func write(_ indexes: ArraySlice<Int>, of regions: [OpenRegion]) throws(DatabaseError) {
    batch.begin(columns: 13)
    for index in indexes where regions[index].isNew { append(regions[index]) }
    if batch.rowCount > 0 {
      insert.bind(radiusMeters, at: 1)
      insert.bind(now, at: 2)
      try insert.run(changing: batch.rowCount)
    }
    for index in indexes where !regions[index].isNew { try update(regions[index]) }
    batch.begin(columns: 3)
    for index in indexes {
      let id = regions[index].id
      try regions[index].visits?.forEachVisit(notIn: regions[index].storedVisits) {
        (visit) throws(DatabaseError) in
        if !batch.hasRoom { try insertVisitRows() }
        batch.append(id)
        batch.append(visit.start.millisecondsSince1970)
        batch.append(visit.end.millisecondsSince1970)
      }
    }
    try insertVisitRows()
    try connection.trimCache()
  }

  private func insertVisitRows() throws(DatabaseError) {
    guard batch.rowCount > 0 else { return }
    try insertVisits.run(changing: batch.rowCount)
    batch.begin(columns: 3)
  }

  private func append(_ region: OpenRegion) {
    let place = places(region.center)
    batch.append(region.id)
    batch.append(region.center.latitudeDegrees)
    batch.append(region.center.longitudeDegrees)
    batch.append(region.visits?.start)
    batch.append(region.visits?.end)
    batch.append(Int64(max(1, region.visits?.count ?? 0)))
    batch.append(place.city)
    batch.append(place.district)
    batch.append(place.country)
    batch.append(place.countryCode)
    batch.append(Geohash(region.center))
    batch.append(region.accuracyMeters)
    batch.append(place.region)
  }

  /// Writes what the visits make of a row, and takes visits out that are no more as they were.
  private func update(_ region: OpenRegion) throws(DatabaseError) {
    update.bind(region.id, at: 1)
    update.bind(region.visits?.end?.iso8601, at: 2)
    update.bind(Int64(try visitCount(of: region)), at: 3)
    update.bind(now, at: 4)
    try update.run(changing: 1)
    guard let visits = region.visits, let stored = region.storedVisits else { return }
    if visits.start != stored.start {
      updateStart.bind(region.id, at: 1)
      updateStart.bind(visits.start?.iso8601, at: 2)
      try updateStart.run(changing: 1)
    }
    try stored.forEachVisit(notIn: visits) { (visit) throws(DatabaseError) in
      deleteVisit.bind(region.id, at: 1)
      deleteVisit.bind(visit.start.millisecondsSince1970, at: 2)
      try deleteVisit.run(changing: 1)
    }
  }

  /// The number of visits of a region that has a row, with those that an adopted row states.
  private func visitCount(of region: OpenRegion) throws(DatabaseError) -> Int {
    let stated = hasStatedVisits ? try connection.statedVisits(region: region.id) : []
    return (region.visits ?? VisitList()).count(with: stated)
  }
}
