extension Store {
  /// Returns what a change of the settings would rebuild, and what it could not redo. Changes
  /// nothing.
  ///
  /// - Parameter change: changes the present settings.
  /// - Throws: ``StoreError/setting(key:reason:)`` if the change would throw it; `DatabaseError`.
  /// - Complexity: O(regions) if the change rebuilds, O(kept fixes) if it decides whether flights
  ///   explore; otherwise O(sources).
  package func impact(
    ofChangingSettings change: (inout StoreSettings) -> Void
  ) throws -> SettingsImpact {
    try read { snapshot in
      var after = snapshot.settings
      change(&after)
      let difference = SettingsChange(from: snapshot.settings, to: after)
      try snapshot.connection.check(difference)
      return SettingsImpact(
        of: difference, on: try snapshot.connection.contents(for: difference, options: options))
    }
  }
}
