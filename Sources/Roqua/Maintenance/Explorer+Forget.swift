import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The store's sources, in the order of import.
  public func sources() throws -> [StoredSource] {
    try read { snapshot in try snapshot.sources() }
  }

  /// Forgets sources: the store is then as if they had never been imported, and its files hold
  /// nothing of them.
  ///
  /// - Parameters:
  ///   - selectors: Each a source's number, its path, or at least eight first digits of its
  ///     SHA-256.
  ///   - isDryRun: Whether to find out what it would come to, and change nothing.
  /// - Throws: `StoreError` where one names no source, or several; nothing is changed then.
  public func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try store.forget(sources: selectors, isDryRun: isDryRun)
  }

  /// Forgets sources by their numbers: the store is then as if they had never been imported, and
  /// its files hold none of their bytes.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the sources.
  ///   - isDryRun: whether to find out what would be deleted, and change nothing.
  /// - Throws: `StoreError.noSuchSource(path:selector:)`; nothing is changed then. `DatabaseError`.
  public func forget(
    sources ids: some Sequence<StoredSource.ID>, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try store.forget(sources: ids, isDryRun: isDryRun)
  }

  /// Deletes a privacy zone from every source: kept fixes within the radius (inclusive), and cells
  /// that sources brought themselves and that could have been explored from inside. The sources
  /// stay known, so importing one again does not bring the zone back.
  ///
  /// - Parameters:
  ///   - center: The center of the zone.
  ///   - radiusMeters: Its radius on the ellipsoid.
  ///   - isDryRun: Whether to find out what would be deleted, and change nothing.
  public func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    let zone = PrivacyZone(center: center, radiusMeters: radiusMeters)
    return try store.forget(in: zone, isDryRun: isDryRun)
  }

  /// Rebuilds regions, visits and coverage from what the sources hold, with other settings where
  /// some are given.
  public func rebuild(
    changing values: [SettingKey: Double] = [:]
  ) throws -> MaintenanceReport {
    try store.rebuild(changing: values)
  }
}
