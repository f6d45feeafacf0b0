import GeoStore
import Geodesy

extension Explorer {
  /// The store's sources, in the order of import.
  public func sources() throws(ExplorerError) -> [StoredSource] {
    try read { (snapshot) throws(StoreError) in try snapshot.sources() }
  }

  /// Takes sources back: the store is then as if they had never been imported, and its files hold nothing of them.
  ///
  /// - Parameters:
  ///   - selectors: Each a source's number, its path, or at least eight first digits of its SHA-256.
  ///   - isDryRun: Whether to find out what it would come to, and change nothing.
  /// - Throws: ``ExplorerError/store(_:)`` where one names no source, or several; nothing is changed then.
  public func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws(ExplorerError) -> TakenBack {
    try rethrowing { () throws(StoreError) in try store.forget(sources: selectors, isDryRun: isDryRun) }
  }

  /// Takes a privacy zone out of every source: kept fixes within the radius (inclusive), and cells that sources brought
  /// themselves and that could have been explored from inside. The sources stay known, so importing one again does
  /// not bring the zone back.
  ///
  /// - Parameter isDryRun: Whether to find out what it would come to, and change nothing.
  public func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) throws(ExplorerError) -> TakenBack {
    let zone = PrivacyZone(center: center, radiusMeters: radiusMeters)
    return try rethrowing { () throws(StoreError) in try store.forget(in: zone, isDryRun: isDryRun) }
  }

  /// Builds regions, visits and coverage anew from what the sources hold, with other settings where some are given.
  public func rebuild(
    changing values: [SettingKey: Double] = [:]
  ) throws(ExplorerError) -> TakenBack {
    try rethrowing { () throws(StoreError) in try store.rebuild(changing: values) }
  }
}
