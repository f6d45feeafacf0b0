/// What a sync changed in the store.
package struct SyncChanges: Hashable, Sendable {
  /// Number of sources that came from other devices.
  package var sourcesAdded = 0
  /// Number of sources that other devices have forgotten.
  package var sourcesForgotten = 0
  /// Number of sources whose rows other devices have changed.
  package var sourcesChanged = 0
  /// Number of kept fixes that came from other devices.
  package var fixesAdded = 0
  /// Number of privacy zones that other devices have added.
  package var zonesAdded = 0
  /// Number of privacy zones that other devices have removed.
  package var zonesRemoved = 0
  /// Number of settings that other devices have changed.
  package var settingsChanged = 0
  /// Number of tiers of achievements that other devices reached, or reached earlier.
  package var achievements = 0

  /// No changes.
  package init() {}
}
