import SQLiteLayer

/// Settings, privacy zones and achievements, as devices share them.
extension HistoryReader {
  /// The number of transactions that deleted data of sources, or changed which fixes are part of a
  /// flight.
  package func deletions() throws(DatabaseError) -> Int64 { try connection.deletions() }

  /// Returns all settings that have a row, also those that this version does not know.
  package func settingRecords() throws(DatabaseError) -> [String: SettingRecord] {
    let select = try connection.cached("SELECT key, value, changed_ms FROM settings")
    var found: [String: SettingRecord] = [:]
    while try select.step() {
      guard let key = select.text(at: 0) else { continue }
      found[key] = SettingRecord(value: select.double(at: 1), changed: select.int64(at: 2))
    }
    return found
  }

  /// Whether sources came with cells, which belong to the grid of one exploration radius.
  package func hasOwnCells() throws(DatabaseError) -> Bool {
    try connection.cellSourceCount() > 0
  }

  /// Returns the privacy zones, in the order in which they were added.
  package func zoneRecords() throws(DatabaseError) -> [ZoneRecord] {
    let select = try connection.cached(
      "SELECT uid, name, latitude_e7, longitude_e7, radius, added_at FROM zones ORDER BY id")
    var zones: [ZoneRecord] = []
    while try select.step() {
      let center = try select.coordinateE7(at: 2, of: "zones")
      zones.append(
        ZoneRecord(
          uid: select.text(at: 0) ?? "", name: select.text(at: 1), latitudeE7: center.latitudeE7,
          longitudeE7: center.longitudeE7, radiusMeters: select.double(at: 4),
          addedAt: select.text(at: 5) ?? ""))
    }
    return zones
  }

  /// Returns the tiers of achievements that were reached.
  package func achievementRows() throws(DatabaseError) -> [AchievementRow] {
    try connection.achievementRows()
  }
}
