import SQLiteLayer

/// Rows of sources of other devices, whose data lies partly in privacy zones of this store.
extension WriteSession {
  /// Makes the rows of sources fit what is left of them, as when a zone is added
  /// (``forget(in:)``).
  ///
  /// - Parameters:
  ///   - ids: the sources whose rows or data came from other devices.
  ///   - withheld: those of which a zone kept something out. Their reports are removed.
  /// - Complexity: O(sources).
  package func fitRowsToZones(
    of ids: some Sequence<Int64>, withheld: some Sequence<Int64>
  ) throws(DatabaseError) {
    guard try !connection.zones().isEmpty else { return }
    try connection.markWithheld(withheld)
    try removeReports(of: withheld)
    // Another device may have written a report before it knew the zone.
    for id in ids where try hasOtherReport(id, ofWithheldOnly: true) {
      try removeReports(of: [id])
    }
  }

  /// Removes the reports of sources that state another number of kept fixes than there are: two
  /// devices imported the same file with other settings, and the row of one came with the fixes of
  /// the other. All devices remove the same.
  ///
  /// - Parameter ids: sources whose row and fixes are complete.
  package func removeOtherReports(of ids: some Sequence<Int64>) throws(DatabaseError) {
    for id in ids where try hasOtherReport(id) { try removeReports(of: [id]) }
  }

  /// Whether the report of a source states another number of kept fixes than there are. Only a
  /// store that reads reports knows: one of an `Explorer`.
  ///
  /// - Parameter isWithheldOnly: whether only sources count of which a zone keeps something out.
  private func hasOtherReport(
    _ id: Int64, ofWithheldOnly isWithheldOnly: Bool = false
  ) throws(DatabaseError) -> Bool {
    guard let reportMembers = options.reportMembers else { return false }
    let select = try connection.cached(
      "SELECT kept, report FROM sources WHERE id = ?1 AND (withheld > 0 OR NOT ?2)")
    select.bind(id, at: 1)
    select.bind(Int64(isWithheldOnly ? 1 : 0), at: 2)
    guard try select.step(), let members = reportMembers(select.text(at: 1) ?? ""),
      let kept = members["kept"] ?? nil
    else { return false }
    return kept != String(select.int64(at: 0))
  }

  private func removeReports(of ids: some Sequence<Int64>) throws(DatabaseError) {
    let nothingLeft = """
      kept = 0 AND NOT EXISTS (SELECT 1 FROM source_regions WHERE source_id = sources.id)
      """
    let remove = try connection.cached(
      """
      UPDATE sources SET report = '\(SourceDescription.noReport)', stays_at_end = 0,
        highest_m = NULL, lowest_m = NULL, height_steps = NULL,
        first_time = iif(\(nothingLeft), NULL, first_time),
        last_time = iif(\(nothingLeft), NULL, last_time)
      WHERE id = ?1
      """)
    for id in ids {
      remove.bind(id, at: 1)
      try remove.run()
    }
  }
}
