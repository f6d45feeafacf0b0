extension Connection {
  /// Runs `body` in a transaction that may write; it is undone where `body` throws.
  ///
  /// IMMEDIATE takes the write lock at once, so that waiting happens here, under the busy timeout, and never in
  /// the middle.
  func writeTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try beginTransaction()
    return try finish(body)
  }

  /// Runs `body` in a transaction that reads one unchanging state of the database.
  func readTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try run("BEGIN DEFERRED")
    return try finish(body)
  }

  /// Runs `body` inside a transaction; where it throws, what it did is undone, and the transaction goes on.
  func savepoint<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try execute("SAVEPOINT part")
    do {
      let result = try body()
      try execute("RELEASE part")
      return result
    } catch {
      // After some errors SQLite has rolled the transaction back by itself; then nothing of it goes on
      // (``beginTransaction()``).
      try? execute("ROLLBACK TO part; RELEASE part")
      throw error
    }
  }

  private func finish<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    do {
      let result = try body()
      try run("COMMIT")
      endTransaction()
      return result
    } catch {
      endTransaction()
      // After some errors SQLite has rolled back by itself; then this fails, and there is nothing left to undo.
      try? execute("ROLLBACK")
      throw error
    }
  }
}
