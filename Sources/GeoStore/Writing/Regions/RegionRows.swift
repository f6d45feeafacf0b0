import Geodesy
import SQLiteLayer

/// Writes changed regions as rows of `regions` and `repeat_visits`.
final class RegionRows {
  private let connection: Connection
  private let radiusMeters: Int64
  private let places: @Sendable (Coordinate) -> PlaceNames
  private let placeWriter: PlaceWriter
  /// Whether any region has visits that are only stated by an adopted row.
  private let hasStatedVisits: Bool
  private let batch: RowBatch
  private let insert: Statement
  private let update: Statement
  private let repeatVisits: RepeatVisitRows

  /// Maximum number of regions in a call of ``write(_:of:)``, after which SQLite's page cache is
  /// trimmed.
  static let capacity = 512

  /// Prepares for writing. `places` returns the place names of each new region's center.
  init(
    connection: Connection, radiusMeters: Int64,
    places: @escaping @Sendable (Coordinate) -> PlaceNames
  ) throws(DatabaseError) {
    self.connection = connection
    self.radiusMeters = radiusMeters
    self.places = places
    placeWriter = try PlaceWriter(connection)
    hasStatedVisits = try connection.integer("SELECT EXISTS (SELECT 1 FROM stated_visits)") == 1
    batch = try connection.rowBatch()
    insert = try Statement(
      """
      INSERT INTO regions (id, latitude_e7, longitude_e7, place_id, accuracy, radius, start_ms,
        end_ms, visit_count, made_by, changed_by)
      SELECT c0, c1, c2, c3, c4, ?1, c5, c6, c7, c8, c9 FROM \(RowBatch.tableName)
      """, on: connection)
    update = try Statement(
      """
      UPDATE regions SET start_ms = ?2, end_ms = ?3, visit_count = ?4, changed_by = ?5
      WHERE id = ?1
      """, on: connection)
    repeatVisits = try RepeatVisitRows(connection)
  }

  /// Starts to note places that are reached for the first time.
  func noteReached() { placeWriter.noteReached() }

  /// Returns the places reached for the first time since the last call, in that order.
  func takeReached() -> [ReachedPlace] { placeWriter.takeReached() }

  /// Writes the regions at some indexes of a list, new ones before their visits.
  ///
  /// - Precondition: there are at most ``capacity`` indexes.
  func write(
    _ indexes: ArraySlice<Int>, of regions: [OpenRegion]
  ) throws(DatabaseError) {
    batch.begin(columns: 10)
    for index in indexes where regions[index].isNew { try append(regions[index]) }
    if batch.rowCount > 0 {
      insert.bind(radiusMeters, at: 1)
      try insert.run(changing: batch.rowCount)
    }
    for index in indexes where !regions[index].isNew { try update(regions[index]) }
    for index in indexes {
      let region = regions[index]
      guard let visits = region.visits else { continue }
      try repeatVisits.write(
        visits, over: region.storedVisits ?? VisitList(), region: region.id)
    }
    try connection.trimCache()
  }

  private func append(_ region: OpenRegion) throws(DatabaseError) {
    let place = try placeWriter.id(of: places(region.center))
    batch.append(region.id)
    batch.append(Int64(region.center.latitudeE7))
    batch.append(Int64(region.center.longitudeE7))
    batch.append(place)
    switch StoredAccuracy(meters: region.accuracyMeters) {
    case .decimeters(let value): batch.append(value)
    case .meters(let value): batch.append(value)
    case nil: batch.append(Int64?.none)
    }
    batch.append(region.visits?.start?.millisecondsSince1970)
    batch.append(region.visits?.end?.millisecondsSince1970)
    batch.append(Int64(max(1, region.visits?.count ?? 0)))
    batch.append(region.madeBy)
    batch.append(region.changedBy)
  }

  /// Updates the columns that depend on the visits.
  private func update(_ region: OpenRegion) throws(DatabaseError) {
    update.bind(region.id, at: 1)
    update.bind(region.visits?.start?.millisecondsSince1970, at: 2)
    update.bind(region.visits?.end?.millisecondsSince1970, at: 3)
    update.bind(Int64(try visitCount(of: region)), at: 4)
    update.bind(region.changedBy, at: 5)
    try update.run(changing: 1)
  }

  /// Returns the number of visits of a region that has a row, including those stated by adopted
  /// rows.
  private func visitCount(of region: OpenRegion) throws(DatabaseError) -> Int {
    let stated = hasStatedVisits ? try connection.statedVisits(region: region.id) : []
    return (region.visits ?? VisitList()).count(with: stated)
  }
}
