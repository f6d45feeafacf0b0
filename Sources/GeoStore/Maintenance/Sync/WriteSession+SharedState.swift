import SQLiteLayer

/// Settings, privacy zones and achievements, exchanged with other devices, and what the exchange
/// itself keeps in the store.
extension WriteSession {
  /// Replaces what the exchange keeps; nil to share it no longer.
  package func setSyncState(
    _ state: (sealedChunk: Int64, state: [UInt8])?
  ) throws(DatabaseError) {
    guard let state else { return try connection.execute("DELETE FROM sync_state") }
    let insert = try connection.cached(
      """
      INSERT INTO sync_state (only, sealed_chunk, state) VALUES (1, ?1, ?2)
      ON CONFLICT DO UPDATE SET sealed_chunk = excluded.sealed_chunk, state = excluded.state
      """)
    insert.bind(state.sealedChunk, at: 1)
    insert.bind(state.state, at: 2)
    try insert.run()
  }

  /// Stores settings of other devices; nil removes one. A value that this version does not accept
  /// is stored and has no effect.
  ///
  /// The exploration radius is left as it is while sources have cells of their own
  /// (``HistoryReader/hasOwnCells()``).
  ///
  /// - Returns: whether ``rebuild()`` must follow.
  package func set(_ values: [String: SettingRecord?]) throws(DatabaseError) -> Bool {
    let before = settings
    let hasCells = try history.hasOwnCells()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      if hasCells, key == SettingKey.explorationRadiusMeters.rawValue { continue }
      guard let value else {
        let delete = try connection.cached("DELETE FROM settings WHERE key = ?1")
        delete.bind(key, at: 1)
        try delete.run()
        continue
      }
      let insert = try connection.cached(
        """
        INSERT INTO settings (key, value, changed_ms) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET value = excluded.value, changed_ms = excluded.changed_ms
        """)
      insert.bind(key, at: 1)
      insert.bind(value.value, at: 2)
      insert.bind(value.changed, at: 3)
      try insert.run()
    }
    settings = try StoreSettings.read(from: connection)
    return !SettingsChange(from: before, to: settings).affected.isEmpty
  }

  /// The number of rows that this connection has changed. If it does not grow, nothing has changed.
  package var changedRowCount: Int32 { connection.allChangedRows }

  /// Adds a privacy zone of another device, and deletes its data from every source
  /// (``forget(in:)``). A zone of the same disc may exist; the name must be free.
  package func add(_ record: ZoneRecord) throws(DatabaseError) -> Int {
    let insert = try connection.cached(
      """
      INSERT INTO zones (uid, name, latitude_e7, longitude_e7, radius, added_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    insert.bind(record.uid, at: 1)
    insert.bind(record.name, at: 2)
    insert.bind(Int64(record.latitudeE7), at: 3)
    insert.bind(Int64(record.longitudeE7), at: 4)
    insert.bind(record.radiusMeters, at: 5)
    insert.bind(record.addedAt, at: 6)
    try insert.run(changing: 1)
    let id = connection.lastInsertedRow
    forgetKnownZones()
    guard let zone = try connection.zones().last(where: { $0.id == id })?.zone else { return 0 }
    let report = try forget(in: zone)
    try connection.markWithheld(report.sources.lazy.map(\.source.id))
    return report.fixes
  }

  /// Changes the name of a privacy zone.
  package func renameZone(_ uid: String, to name: String?) throws(DatabaseError) {
    let update = try connection.cached("UPDATE zones SET name = ?2 WHERE uid = ?1")
    update.bind(uid, at: 1)
    update.bind(name, at: 2)
    try update.run()
  }

  /// Removes a privacy zone. This brings nothing back.
  package func removeZone(uid: String) throws(DatabaseError) {
    let delete = try connection.cached("DELETE FROM zones WHERE uid = ?1")
    delete.bind(uid, at: 1)
    try delete.run()
    try connection.execute("UPDATE sources SET withheld = 2 WHERE withheld = 1")
    forgetKnownZones()
    try oweErasure()
  }

  /// Stores tiers with the times on which the devices agree, in place of those that are there.
  package func merge(_ rows: [AchievementRow]) throws(DatabaseError) {
    let write = try connection.cached(
      """
      INSERT INTO achievements (id, tier, unlocked_ms, generation, given_at)
      VALUES (?1, ?2, ?3, 0, ?4)
      ON CONFLICT (id, tier) DO UPDATE SET
        unlocked_ms = excluded.unlocked_ms, given_at = excluded.given_at
      """)
    for row in rows {
      write.bind(row.id, at: 1)
      write.bind(row.tier, at: 2)
      write.bind(row.time?.millisecondsSince1970, at: 3)
      write.bind(row.givenAt.iso8601, at: 4)
      try write.run()
    }
  }
}
