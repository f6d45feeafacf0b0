import SQLiteLayer

extension WriteSession {
  /// Rebuilds regions, visits and coverage from the regions and cells that came with sources, and
  /// from the kept fixes in the order of import. The indexes, views and tables of the derived data
  /// are repaired first (`Schema.mend(_:)`).
  ///
  /// - Complexity: O(kept fixes); memory does not grow with the store.
  package func rebuild() throws(DatabaseError) {
    changes.addEverything()
    try Schema.mend(connection)
    try connection.mendSourceCounter()
    try connection.execute(
      """
      DELETE FROM stated_visits;
      DELETE FROM repeat_visits;
      DELETE FROM adopted_times;
      DELETE FROM regions;
      DELETE FROM places;
      DELETE FROM coverage_tiles;
      """)
    try Rebuild.run(
      from: connection, into: connection, changes: changes, settings: settings, options: options)
  }
}
