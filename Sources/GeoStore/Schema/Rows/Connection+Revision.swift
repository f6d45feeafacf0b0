import SQLiteLayer

extension Connection {
  /// Returns the number of transactions that changed a region, up to the present state of the
  /// store; 0 if the row was deleted. The next transaction that changes a region then continues
  /// from a number that no store has reached.
  func regionRevision() throws(DatabaseError) -> Int64 {
    let select = try cached("SELECT regions FROM revision")
    guard try select.step() else { return 0 }
    return try select.int64(at: 0, in: StoredRange.revision, of: "revision, row 1")
  }

  /// A constant, because a recording runs it for each fix.
  private static let advancing = """
    INSERT INTO revision (only, regions) VALUES (1, strftime('%s', 'now') * 1000)
    ON CONFLICT DO UPDATE
    SET regions = CASE WHEN regions >= 0 AND regions < \(StoredRange.revision.upperBound)
      THEN regions + 1 ELSE excluded.regions END
    """

  /// Increments the revision inside a write transaction, and returns it. A damaged number is
  /// replaced like a missing one.
  func advanceRegionRevision() throws(DatabaseError) -> Int64 {
    let statement = try cached(Self.advancing)
    try statement.run()
    return try regionRevision()
  }

  /// Returns the number of transactions that deleted data of sources, or changed which fixes are
  /// part of a flight. Only whether it changes has a meaning: what was computed from an earlier
  /// state may be wrong then.
  func deletions() throws(DatabaseError) -> Int64 {
    let select = try cached("SELECT deletions FROM revision")
    return try select.step() ? select.int64(at: 0) : 0
  }

  /// Increments ``deletions()`` inside a write transaction. The row is replaced if it is missing,
  /// with a number that no store has reached.
  func countDeletion() throws(DatabaseError) {
    try execute(
      """
      INSERT INTO revision VALUES (1, strftime('%s', 'now') * 1000, strftime('%s', 'now') * 1000)
      ON CONFLICT DO UPDATE SET deletions =
        CASE WHEN deletions >= 0 AND deletions < \(StoredRange.revision.upperBound)
        THEN deletions + 1 ELSE excluded.deletions END
      """)
  }
}
