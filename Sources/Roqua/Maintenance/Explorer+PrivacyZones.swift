import GeoStore
import Geodesy

/// The result of adding a privacy zone.
///
/// ```swift
/// let home = PrivacyZone(center: here, radiusMeters: 300)
/// let addition = try await explorer.addPrivacyZone(home, named: "home")
/// print("\(addition.report.fixes) fixes deleted")
/// ```
public struct ZoneAddition: Hashable, Sendable {
  /// The zone.
  public let stored: StoredZone
  /// What was deleted.
  public let report: MaintenanceReport
}

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func privacyZones() throws -> [StoredZone] {
    try read { snapshot in try snapshot.privacyZones() }
  }

  /// Does what the async form does, on the calling thread.
  @discardableResult
  package func addPrivacyZone(
    _ zone: PrivacyZone, named name: String? = nil, isDryRun: Bool = false
  ) throws -> ZoneAddition {
    let added = try store.addZone(zone, named: name, isDryRun: isDryRun)
    return ZoneAddition(stored: added.zone, report: added.report)
  }

  /// Does what the async form does, on the calling thread.
  @discardableResult
  package func removePrivacyZone(_ selector: String) throws -> Bool {
    try store.removeZone(selector)
  }

  /// The store's privacy zones, in the order in which they were added.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func privacyZones() async throws -> [StoredZone] {
    try await read { snapshot in try snapshot.privacyZones() }
  }

  /// Adds a privacy zone: deletes all data in it from every source and from the store's files, as
  /// `forget(near:radiusMeters:isDryRun:)` does, and stores nothing in it from then on. Imports
  /// and recordings drop its fixes as `privacyZone` and cut the track there. Once the zone is
  /// removed, importing the files again restores its data.
  ///
  /// - Parameters:
  ///   - zone: the disc; its radius is in `StoredZone.radiusMeters`.
  ///   - name: its name, which no other zone has; nil for none.
  ///   - isDryRun: true to report what would be deleted and change nothing.
  /// - Throws: `StoreError.invalidZone(path:reason:)`, in which case nothing is changed;
  ///   `CancellationError`, `DatabaseError`.
  @discardableResult
  public func addPrivacyZone(
    _ zone: PrivacyZone, named name: String? = nil, isDryRun: Bool = false
  ) async throws -> ZoneAddition {
    try await blocking { try $0.addPrivacyZone(zone, named: name, isDryRun: isDryRun) }
  }

  /// Removes a privacy zone. This brings nothing back; importing the files again does.
  ///
  /// - Parameter selector: the zone's number, or its name.
  /// - Returns: true if the zone is also erased from the store's files; false if another program
  ///   kept the old state open for too long. The next write tries again then.
  /// - Throws: `StoreError.noSuchZone(path:selector:)`, in which case nothing is changed;
  ///   `CancellationError`, `DatabaseError`.
  @discardableResult
  public func removePrivacyZone(_ selector: String) async throws -> Bool {
    try await blocking { try $0.removePrivacyZone(selector) }
  }
}

extension StoredZone {
  /// The object that `roqua zone list --json` prints for the zone.
  package var json: JSONValue {
    [
      "id": .integer(id), "name": .string(name),
      "latitude": .number(zone.center.latitudeDegrees),
      "longitude": .number(zone.center.longitudeDegrees),
      "radiusMeters": .number(zone.radiusMeters), "addedAt": .string(addedAt?.iso8601),
    ]
  }
}

extension ZoneAddition {
  /// The document that `roqua zone add --json` prints: that of `roqua forget`, and the zone.
  package var json: JSONValue {
    guard case .object(let members) = report.json else { return report.json }
    return .object([.init("zone", stored.json)] + members)
  }
}
