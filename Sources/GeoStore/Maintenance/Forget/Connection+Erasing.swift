import Geodesy
import SQLiteLayer

/// Leaving nothing in the store's files but what the tables hold (`docs/decisions/forgetting.md`).
extension Connection {
  /// Whether something was deleted of which bytes may be in the store's files still.
  func owesErasure() throws(DatabaseError) -> Bool {
    try integer("SELECT EXISTS (SELECT 1 FROM erasure)") == 1
  }

  /// Says so, in the transaction that deletes it: a crash after it is noticed by who writes
  /// next.
  func oweErasure(since time: Timestamp) throws(DatabaseError) {
    let insert = try cached(
      "INSERT INTO erasure (only, since) VALUES (1, ?1) ON CONFLICT DO NOTHING")
    insert.bind(time.iso8601, at: 1)
    try insert.run()
  }

  /// Rewrites all pages and empties the write-ahead log; false where that was not possible now.
  ///
  /// What was deleted was overwritten in its place (`secure_delete`). But SQLite moves rows from
  /// page to page as tables grow, and does not clean the place where they were; so all pages are
  /// rewritten (VACUUM). The old ones are in the file, and older states in the write-ahead log,
  /// until a checkpoint has moved the last page and cut the log to nothing, for which every reader
  /// of an older state must be done.
  ///
  /// - Parameters:
  ///   - waitingMilliseconds: how long to wait for readers and writers.
  ///   - isPatient: whether to rewrite the pages also where a reader is in the way of the log
  ///     already.
  /// - Complexity: O(store).
  func erase(waitingMilliseconds: Int, isPatient: Bool) -> Bool {
    do throws(DatabaseError) {
      // The copy of a large store does not belong into memory. Its file has no name; SQLite deletes
      // it at once.
      try execute("PRAGMA temp_store = FILE")
      defer {
        try? execute("PRAGMA temp_store = MEMORY")
        try? execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
      }
      try execute("PRAGMA busy_timeout = \(waitingMilliseconds)")
      if !isPatient, try !truncateLog() { return false }
      try execute("VACUUM")
      guard try truncateLog() else { return false }
      // Last: a crash before it only means that the work is done once more.
      try execute("DELETE FROM erasure")
      return true
    } catch {
      return false  // what was asked for is done and stays so; the mark stays, too
    }
  }
}
