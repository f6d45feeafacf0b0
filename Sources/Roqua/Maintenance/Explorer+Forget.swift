import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The store's sources, in the order of import.
  ///
  /// - Throws: `DatabaseError`.
  public func sources() throws -> [StoredSource] {
    try read { snapshot in try snapshot.sources() }
  }

  /// Forgets sources: the store is then as if they had never been imported, and its files no longer
  /// contain any of their data.
  ///
  /// - Parameters:
  ///   - selectors: for each source its number, its path, or at least the first eight digits of its
  ///     SHA-256.
  ///   - isDryRun: true to report what would be deleted and change nothing.
  /// - Throws: `StoreError` if a selector matches no source or several; nothing is changed then.
  package func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try store.forget(sources: selectors, isDryRun: isDryRun)
  }

  /// Does what the async form does, on the calling thread.
  package func forget(
    sources ids: some Sequence<StoredSource.ID>, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try store.forget(sources: ids, isDryRun: isDryRun)
  }

  /// Does what the async form does, on the calling thread.
  package func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    let zone = PrivacyZone(center: center, radiusMeters: radiusMeters)
    return try store.forget(in: zone, isDryRun: isDryRun)
  }

  /// Does what the async form does, on the calling thread.
  package func rebuild(
    changing values: [SettingKey: Double] = [:]
  ) throws -> MaintenanceReport {
    try store.rebuild(changing: values)
  }
}
