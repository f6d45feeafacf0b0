extension Connection {
  /// How many transactions have changed a region up to the present state of the store.
  func regionRevision() throws(StoreError) -> Int64 {
    guard let revision = try integer("SELECT regions FROM revision") else {
      throw .damaged(path: path, detail: "the table revision has no row")
    }
    return revision
  }

  /// Counts one more, inside a write transaction, and gives the new number.
  func advanceRegionRevision() throws(StoreError) -> Int64 {
    let statement = try cached("UPDATE revision SET regions = regions + 1")
    try statement.run()
    return try regionRevision()
  }
}
