extension Connection {
  /// How many transactions have changed a region up to the present state of the store; 0 where somebody took the row
  /// away. The next transaction that changes a region then counts on from a number that no store has reached.
  func regionRevision() throws(StoreError) -> Int64 {
    try integer("SELECT regions FROM revision") ?? 0
  }

  /// Counts one more, inside a write transaction, and gives the new number.
  func advanceRegionRevision() throws(StoreError) -> Int64 {
    let statement = try cached(
      """
      INSERT INTO revision VALUES (1, strftime('%s', 'now') * 1000) ON CONFLICT DO UPDATE SET regions = regions + 1
      """)
    try statement.run()
    return try regionRevision()
  }
}
