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

  /// Leaves nothing of what was deleted in the store's files; false where that was not possible
  /// now.
  ///
  /// What was deleted was overwritten in its place (`secure_delete`). But SQLite moves rows from
  /// page to page as tables grow, and does not clear the place where they were; so all bytes that
  /// nothing uses are cleared, or where a quarter of the pages is free, all pages are rewritten.
  /// The write-ahead log has older states of pages, until a checkpoint has moved the last page and
  /// cut the log to nothing, for which every reader of an older state must be done.
  ///
  /// - Parameters:
  ///   - waitingMilliseconds: how long to wait for readers and writers.
  ///   - isPatient: whether to run VACUUM even while a reader blocks the checkpoint.
  ///   - isRewriting: whether to run VACUUM in any case.
  /// - Complexity: O(store).
  func erase(waitingMilliseconds: Int, isPatient: Bool, isRewriting: Bool = false) -> Bool {
    do throws(DatabaseError) {
      defer { try? execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)") }
      try execute("PRAGMA busy_timeout = \(waitingMilliseconds)")
      let isMostlyFree = try isMostlyFree()
      if !isRewriting, !isMostlyFree {
        switch try clear() {
        case .done: return true
        case .blocked: return false
        case .impossible: break
        }
      } else if !isPatient, try !truncateLog() {
        return false
      }
      try rewrite()
      guard try truncateLog() else { return false }
      // Last: a crash before it only means that the work is done once more.
      try execute("DELETE FROM erasure")
      return true
    } catch {
      return false  // what was asked for is done and stays so; the mark stays, too
    }
  }

  /// Whether so many pages are free that the file is to become smaller.
  private func isMostlyFree() throws(DatabaseError) -> Bool {
    let free = try integer("PRAGMA freelist_count") ?? 0
    let all = try integer("PRAGMA page_count") ?? 0
    return 4 * free > all
  }

  private enum Clearing {
    case done
    /// A reader of an older state, or who writes all the time, is in the way.
    case blocked
    /// The file cannot be cleared.
    case impossible
  }

  /// Empties the log, clears what nothing uses, and takes the mark away, while nobody else writes.
  private func clear() throws(DatabaseError) -> Clearing {
    for _ in 0..<Self.clearingAttempts {
      guard try truncateLog() else { return .blocked }
      try execute("BEGIN IMMEDIATE")
      do throws(DatabaseError) {
        // Somebody may have written before the transaction began.
        guard try hasEmptyLog() else {
          try execute("ROLLBACK")
          continue
        }
        guard try clearUnusedBytes() else {
          try execute("ROLLBACK")
          return .impossible
        }
        // Other connections see that pages changed, and give up those that they have in memory. The
        // key of a row is written even if it stays the same.
        try execute("DELETE FROM erasure; UPDATE revision SET only = only; COMMIT")
      } catch {
        try? execute("ROLLBACK")
        throw error
      }
      // What the log has now are pages that were cleared.
      _ = try? truncateLog()
      return .done
    }
    return .blocked
  }

  /// How often the log is emptied before those who write all the time are let go on.
  private static let clearingAttempts = 5

  /// Rewrites all pages.
  private func rewrite() throws(DatabaseError) {
    // The copy of a large store does not belong into memory. Its file has no name; SQLite deletes
    // it at once.
    try execute("PRAGMA temp_store = FILE")
    defer { try? execute("PRAGMA temp_store = MEMORY") }
    try execute("VACUUM")
  }
}
