import GeoStore

extension Explorer {
  /// The store's settings.
  ///
  /// - Throws: `DatabaseError`.
  public func settings() throws -> StoreSettings {
    try read { snapshot in snapshot.settings }
  }

  /// The committed changes of the settings, by this process and others, for any number of
  /// listeners. A slow listener gets the latest settings and delays nobody
  /// (``/GeoStore/SettingsChanges``).
  ///
  /// Start to listen before you read the settings, so that no change is missed in between.
  ///
  /// ```swift
  /// let changes = explorer.settingsChanges
  /// let observer = Task {
  ///   for await change in changes { print("units: \(change.after.units)") }
  /// }
  /// ```
  public var settingsChanges: SettingsChanges { store.settingsChanges }

  /// Does what the async form does, on the calling thread.
  package func previewSettings(
    _ change: (inout StoreSettings) -> Void
  ) throws -> SettingsImpact {
    try store.impact(ofChangingSettings: change)
  }

  /// Changes a setting. Rebuilds regions, visits and coverage if they depend on it.
  ///
  /// - Returns: what the change rebuilt, and what it could not redo.
  /// - Throws: like `changeSettings(_:)`.
  @discardableResult
  package func set(_ key: SettingKey, to value: Double) throws -> SettingsImpact {
    try store.write { session in try session.change(key, to: value) }
  }

  /// Returns a setting to its default, as if it had never been set. Rebuilds regions, visits and
  /// coverage if they depend on it and its value changes.
  ///
  /// - Returns: what the change rebuilt, and what it could not redo.
  /// - Throws: like `changeSettings(_:)`.
  @discardableResult
  package func reset(_ key: SettingKey) throws -> SettingsImpact {
    try store.write { session in try session.change(key, to: nil) }
  }

  /// Changes settings. Rebuilds regions, visits and coverage once if they depend on any of them.
  ///
  /// ```swift
  /// try await explorer.changeSettings { $0.visitGapMinutes = 45 }
  /// ```
  ///
  /// - Returns: what the change rebuilt, and what it could not redo.
  /// - Throws: `StoreError.setting(key:reason:)` if a value is out of range, or if the exploration
  ///   radius changes while sources have cells of their own; nothing is changed then.
  ///   `DatabaseError`.
  @discardableResult
  public func changeSettings(
    _ change: (inout StoreSettings) -> Void
  ) throws -> SettingsImpact {
    try store.write { session in
      var settings = session.settings
      change(&settings)
      return try session.change(to: settings)
    }
  }
}
