import SQLiteLayer

extension WriteSession {
  /// Changes the settings. If regions, visits or coverage depend on a value that changes, they are
  /// rebuilt from the kept fixes, once and in the same transaction.
  ///
  /// - Returns: what the change rebuilt, and what it could not redo.
  /// - Throws: ``StoreError/setting(key:reason:)`` for a value out of range, and for a different
  ///   exploration radius while sources have cells of their own; nothing is changed then.
  ///   `DatabaseError`.
  package func change(to new: StoreSettings) throws -> SettingsImpact {
    let change = SettingsChange(from: settings, to: new)
    try connection.check(change)
    var impact = SettingsImpact(
      of: change, on: try connection.contents(for: change, options: options))
    try store(change)
    if impact.isRebuild {
      try rebuild()
      impact.sizeAfter = try connection.derivedSize()
    }
    return impact
  }

  /// Changes a setting, or returns it to its default if there is no value (``change(to:)``).
  package func change(_ key: SettingKey, to value: Double?) throws -> SettingsImpact {
    var new = settings
    guard let value else {
      new.reset(key)
      let impact = try change(to: new)
      // A value that this version does not accept has a row too.
      try StoreSettings.erase(key, from: connection)
      return impact
    }
    try new.set(key, to: value)
    return try change(to: new)
  }

  /// Changes a setting (``change(to:)``).
  package func set(_ key: SettingKey, to value: Double) throws { _ = try change(key, to: value) }

  /// Returns a setting to its default, and rebuilds what depends on it if that changes its value.
  package func reset(_ key: SettingKey) throws { _ = try change(key, to: nil) }

  /// Changes settings, then rebuilds regions, visits and coverage once.
  ///
  /// - Throws: errors of `adjust`, and like ``change(to:)``.
  func rebuild(changing adjust: (inout StoreSettings) throws -> Void) throws {
    var new = settings
    try adjust(&new)
    let change = SettingsChange(from: settings, to: new)
    try connection.check(change)
    try store(change)
    try rebuild()
  }

  /// Stores settings without rebuilding, which is left to the caller.
  private func store(_ change: SettingsChange) throws(DatabaseError) {
    for key in SettingKey.allCases where change.keys.contains(key) {
      if change.after.isSet(key) {
        try StoreSettings.write(
          change.after[key], for: key, at: options.now(), to: connection)
      } else {
        try StoreSettings.erase(key, from: connection)
      }
    }
    settings = change.after
  }
}
