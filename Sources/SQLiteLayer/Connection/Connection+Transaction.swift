extension Connection {
  /// Runs `body` in a transaction that may write, and rolls back if `body` throws.
  ///
  /// IMMEDIATE takes the write lock at once, so that waiting happens here, under the busy timeout,
  /// and never in the middle of the transaction.
  package func writeTransaction<T>(
    _ body: () throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try beginTransaction()
    return try finish(body).get()
  }

  /// Runs `body` in a transaction that reads one unchanging state of the database.
  package func readTransaction<T>(
    _ body: () throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try readTransactionResult(body).get()
  }

  /// Runs `body`, which may throw any error, in a transaction that reads one unchanging state.
  ///
  /// - Throws: ``DatabaseError`` if the transaction itself fails; the errors of `body` are in the
  ///   result.
  package func readTransactionResult<T, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    try run("BEGIN DEFERRED")
    return try finish(body)
  }

  /// Runs `body` inside a transaction. If it throws, its changes are undone and the transaction
  /// continues.
  ///
  /// - Throws: ``DatabaseError`` if the savepoint itself fails; the errors of `body` are in the
  ///   result.
  package func savepoint<T, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    try execute("SAVEPOINT part")
    let result = Result(catching: body)
    do throws(DatabaseError) {
      if case .success = result {
        try execute("RELEASE part")
        return result
      }
    } catch {
      rollBackPart()
      throw error
    }
    rollBackPart()
    return result
  }

  /// After some errors SQLite has already rolled back the whole transaction, which then does not
  /// continue (``beginTransaction()``).
  private func rollBackPart() { try? execute("ROLLBACK TO part; RELEASE part") }

  private func finish<T, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    let result = Result(catching: body)
    do throws(DatabaseError) {
      if case .success = result {
        try run("COMMIT")
        endTransaction()
        return result
      }
    } catch {
      rollBack()
      throw error
    }
    rollBack()
    return result
  }

  /// After some errors SQLite has already rolled back; the statement then fails, and nothing is
  /// left to undo.
  private func rollBack() {
    endTransaction()
    try? execute("ROLLBACK")
  }
}
