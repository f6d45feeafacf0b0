import Geodesy
import SQLiteLayer

/// Rows of sources of other devices, whose data lies partly in privacy zones of this store.
extension WriteSession {
  /// Makes the rows of sources fit what is left of them, as when a zone is added
  /// (``forget(in:)``).
  ///
  /// - Parameters:
  ///   - ids: the sources whose rows or data came from other devices.
  ///   - withheld: those of which a zone kept something out. Their reports are removed.
  /// - Complexity: O(sources × zones).
  package func fitRowsToZones(
    of ids: some Sequence<Int64>, withheld: some Sequence<Int64>
  ) throws(DatabaseError) {
    let zones = try connection.zones().map(\.zone)
    guard !zones.isEmpty else { return }
    try connection.markWithheld(withheld)
    try removeReports(of: withheld, where: "1")
    // Another device may have written a report before it knew the zone.
    try removeReports(
      of: ids,
      where: "withheld > 0 AND json_valid(report) AND json_extract(report, '$.kept') <> kept")
    for zone in zones { try removeBounds(around: zone, of: ids) }
  }

  private func removeReports(
    of ids: some Sequence<Int64>, where condition: String
  ) throws(DatabaseError) {
    let nothingLeft = """
      kept = 0 AND NOT EXISTS (SELECT 1 FROM source_regions WHERE source_id = sources.id)
      """
    let remove = try connection.cached(
      """
      UPDATE sources SET report = '\(SourceDescription.noReport)', stays_at_end = 0,
        highest_m = NULL, lowest_m = NULL, height_steps = NULL,
        first_time = iif(\(nothingLeft), NULL, first_time),
        last_time = iif(\(nothingLeft), NULL, last_time)
      WHERE id = ?1 AND \(condition)
      """)
    for id in ids {
      remove.bind(id, at: 1)
      try remove.run()
    }
  }

  /// Removes the bounds from the reports of sources that have points between the parallels of a
  /// zone: they may be those of points in the zone that the filter dropped.
  private func removeBounds(
    around zone: PrivacyZone, of ids: some Sequence<Int64>
  ) throws(DatabaseError) {
    let box = BoundingBox(around: zone.center, radiusMeters: max(0, zone.radiusMeters))
    let update = try connection.cached(
      """
      UPDATE sources SET report = json_remove(report, '$.bounds')
      WHERE id = ?3 AND json_valid(report) AND json_extract(report, '$.bounds.south') <= ?2
        AND json_extract(report, '$.bounds.north') >= ?1
      """)
    update.bind(Double(box.southE7) / 1e7, at: 1)
    update.bind(Double(box.northE7) / 1e7, at: 2)
    for id in ids {
      update.bind(id, at: 3)
      try update.run()
    }
  }
}
