import SQLiteLayer

extension WriteSession {
  /// Changes a setting. If regions, visits or coverage depend on it, they are rebuilt from the kept
  /// fixes in the same transaction.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` for a value out of range, and for a different
  ///   exploration radius while sources have cells of their own; nothing is changed then.
  package func set(_ key: SettingKey, to value: Double) throws {
    let isNew = value != settings[key]
    try change(key, to: value)
    if key.shapesDerivedTables, isNew { try rebuild() }
  }

  /// Returns a setting to its default, and rebuilds what depends on it if that changes its value.
  package func reset(_ key: SettingKey) throws {
    try set(key, to: key.defaultValue)
    settings.reset(key)
    try StoreSettings.erase(key, from: connection)
  }

  /// Changes a setting without rebuilding, which is left to the caller.
  func change(_ key: SettingKey, to value: Double) throws {
    if key == .explorationRadiusMeters, value != settings[key] { try checkRadiusMayChange() }
    try settings.set(key, to: value)
    try StoreSettings.write(value, for: key, to: connection)
  }

  /// Checks that no cells came with sources, since they belong to the grid of one radius.
  private func checkRadiusMayChange() throws {
    let count = try connection.cellSourceCount()
    guard count == 0 else {
      throw StoreError.setting(
        key: SettingKey.explorationRadiusMeters.rawValue,
        reason:
          "cells were imported at \(StoreSettings.text(settings[.explorationRadiusMeters])) m "
          + "(\(count) \(count == 1 ? "source" : "sources")) and cannot be converted to another "
          + "radius; forget those sources or use a new store")
    }
  }

  /// Rebuilds regions, visits and coverage from the regions and cells that came with sources, and
  /// from the kept fixes in the order of import. The indexes, views and tables of the derived data
  /// are repaired first (`Schema.mend(_:)`).
  ///
  /// - Complexity: O(kept fixes); memory does not grow with the store.
  package func rebuild() throws(DatabaseError) {
    changes.addEverything()
    try Schema.mend(connection)
    try connection.mendSourceCounter()
    try connection.execute(
      """
      DELETE FROM stated_visits;
      DELETE FROM repeat_visits;
      DELETE FROM adopted_times;
      DELETE FROM regions;
      DELETE FROM places;
      DELETE FROM coverage_tiles;
      """)
    try Rebuild.run(
      from: connection, into: connection, changes: changes, settings: settings, options: options)
  }

  /// Changes settings, then rebuilds regions, visits and coverage once.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` for a value out of range, and for a different
  ///   exploration radius while sources have cells of their own.
  package func rebuild(changing values: [SettingKey: Double]) throws {
    for (key, value) in values { try change(key, to: value) }
    try rebuild()
  }
}
