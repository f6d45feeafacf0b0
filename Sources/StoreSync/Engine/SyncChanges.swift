/// What a sync changed in the store.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// let changes = try await shared.sync().changes
/// print("\(changes.sourcesAdded) sources came, \(changes.sourcesForgotten) were forgotten")
/// ```
public struct SyncChanges: Hashable, Sendable {
  /// Number of sources that came from other devices.
  public internal(set) var sourcesAdded = 0
  /// Number of sources that other devices have forgotten.
  public internal(set) var sourcesForgotten = 0
  /// Number of sources whose rows other devices have changed.
  public internal(set) var sourcesChanged = 0
  /// Number of kept fixes that came from other devices.
  public internal(set) var fixesAdded = 0
  /// Number of privacy zones that other devices have added.
  public internal(set) var zonesAdded = 0
  /// Number of kept fixes of this store that these zones have erased.
  public internal(set) var fixesErased = 0
  /// Number of privacy zones that other devices have removed.
  public internal(set) var zonesRemoved = 0
  /// Number of settings that other devices have changed.
  public internal(set) var settingsChanged = 0
  /// Number of tiers of achievements that other devices reached, or reached earlier.
  public internal(set) var achievements = 0

  /// No changes.
  init() {}
}
