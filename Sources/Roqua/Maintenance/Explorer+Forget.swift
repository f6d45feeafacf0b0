import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The store's sources, in the order of import.
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
  public func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try store.forget(sources: selectors, isDryRun: isDryRun)
  }

  /// Forgets sources by their numbers: the store is then as if they had never been imported, and
  /// its files no longer contain any of their data.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the sources.
  ///   - isDryRun: true to report what would be deleted and change nothing.
  /// - Throws: `StoreError.noSuchSource(path:selector:)`, in which case nothing is changed;
  ///   `DatabaseError`.
  public func forget(
    sources ids: some Sequence<StoredSource.ID>, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try store.forget(sources: ids, isDryRun: isDryRun)
  }

  /// Deletes all data in a privacy zone from every source: kept fixes within the radius
  /// (inclusive), and cells from sources without fixes that could have been explored from inside.
  /// The sources remain known, so importing one again does not restore the zone's data.
  ///
  /// - Parameters:
  ///   - center: the center of the zone.
  ///   - radiusMeters: the radius of the zone on the ellipsoid.
  ///   - isDryRun: true to report what would be deleted and change nothing.
  public func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    let zone = PrivacyZone(center: center, radiusMeters: radiusMeters)
    return try store.forget(in: zone, isDryRun: isDryRun)
  }

  /// Rebuilds regions, visits and coverage from the sources, with the given settings changed.
  public func rebuild(
    changing values: [SettingKey: Double] = [:]
  ) throws -> MaintenanceReport {
    try store.rebuild(changing: values)
  }
}
