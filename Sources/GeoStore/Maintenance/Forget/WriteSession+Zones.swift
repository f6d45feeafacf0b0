import Geodesy
import SQLiteLayer

extension WriteSession {
  /// Adds a privacy zone, and deletes its data from every source (``forget(in:)``). From then on,
  /// nothing in it is stored.
  ///
  /// - Parameters:
  ///   - zone: the disc.
  ///   - name: its name, which no other zone has; nil for none.
  /// - Throws: ``StoreError/invalidZone(path:reason:)``, before anything is changed;
  ///   ``DatabaseError``.
  /// - Complexity: O(kept fixes).
  package func addZone(
    _ zone: PrivacyZone, named name: String?
  ) throws -> (zone: StoredZone, report: MaintenanceReport) {
    try check(zone, named: name)
    let now = options.now()
    let insert = try connection.cached(
      """
      INSERT INTO zones (name, latitude_e7, longitude_e7, radius, added_at)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    insert.bind(name, at: 1)
    insert.bind(Int64(zone.center.latitudeE7), at: 2)
    insert.bind(Int64(zone.center.longitudeE7), at: 3)
    insert.bind(zone.radiusMeters, at: 4)
    insert.bind(now.iso8601, at: 5)
    try insert.run(changing: 1)
    let id = connection.lastInsertedRow
    forgetKnownZones()
    let report = try forget(in: zone)
    try connection.markWithheld(report.sources.lazy.map(\.source.id))
    return (StoredZone(id: id, name: name, zone: zone, addedAt: now), report)
  }

  /// Removes a privacy zone. This brings nothing back, but sources that lost data to a zone can be
  /// imported again (`docs/decisions/privacy-zones.md`).
  ///
  /// - Parameter selector: the zone's number, or its name.
  /// - Throws: ``StoreError/noSuchZone(path:selector:)``, before anything is changed;
  ///   ``DatabaseError``.
  package func removeZone(_ selector: String) throws {
    // A row that cannot be read can still be removed.
    let select = try connection.cached("SELECT id FROM zones WHERE id = ?1 OR name = ?2 ORDER BY 1")
    let number = Int64(selector).flatMap { String($0) == selector ? $0 : nil }
    select.bind(number, at: 1)
    select.bind(selector, at: 2)
    // A number goes before a name.
    var found: [Int64] = []
    while try select.step() { found.append(select.int64(at: 0)) }
    guard let id = found.first(where: { $0 == number }) ?? found.first else {
      throw StoreError.noSuchZone(path: connection.path, selector: selector)
    }
    let delete = try connection.cached("DELETE FROM zones WHERE id = ?1")
    delete.bind(id, at: 1)
    try delete.run()
    try connection.execute("UPDATE sources SET withheld = 2 WHERE withheld = 1")
    forgetKnownZones()
    try oweErasure()
  }

  private func check(_ zone: PrivacyZone, named name: String?) throws {
    if let reason = try reasonToRefuse(zone, named: name) {
      throw StoreError.invalidZone(path: connection.path, reason: reason)
    }
  }

  private func reasonToRefuse(
    _ zone: PrivacyZone, named name: String?
  ) throws(DatabaseError) -> String? {
    if let reason = StoredZone.reasonToRefuse(zone, named: name) { return reason }
    for other in try connection.zones() {
      if let name, other.name == name { return "privacy zone \(other.id) already has that name" }
      if other.zone == zone { return "privacy zone \(other.id) is the same disc" }
    }
    return nil
  }

  /// Prepares to store a source with these bytes again, if it is in the store and incomplete
  /// because of a privacy zone that was removed since. ``forgetReplaced()`` must follow, in this
  /// transaction or a later one; until then, the store has both sources.
  ///
  /// - Parameter points: the number of its points, kept or not.
  /// - Returns: false if the source in the store has more points, because it was imported with
  ///   waypoints or route points. It stays, and the new one must not be stored.
  package func replaceIncomplete(
    sha256: String, points: Int = .max
  ) throws(DatabaseError) -> Bool {
    let known = try connection.pointsOfIncompleteSource(sha256: sha256)
    guard known ?? 0 <= points else { return false }
    if known != nil { try connection.setAside(sha256: sha256) }
    return true
  }

  /// Forgets the sources that others have replaced, all at once. Returns whether there were any.
  @discardableResult
  package func forgetReplaced() throws(DatabaseError) -> Bool {
    let select = try connection.cached("SELECT id FROM sources WHERE withheld = 4")
    var ids: [StoredSource.ID] = []
    while try select.step() { ids.append(select.int64(at: 0)) }
    var found: [Int64: StoredSource] = [:]
    for id in ids { found[id] = try connection.source(id: id) }
    if !found.isEmpty { _ = try forget(found) }
    return !found.isEmpty
  }
}
