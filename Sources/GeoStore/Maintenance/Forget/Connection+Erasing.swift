import Geodesy
import SQLiteLayer

/// Erases everything from the store's files except the contents of the tables
/// (`docs/decisions/forgetting.md`).
extension Connection {
  /// Returns whether deleted data may still be in the store's files.
  func owesErasure() throws(DatabaseError) -> Bool {
    try integer("SELECT EXISTS (SELECT 1 FROM erasure)") == 1
  }

  /// Marks the store accordingly, in the transaction that deletes the data. After a crash, the next
  /// writer finds the mark.
  func oweErasure(since time: Timestamp) throws(DatabaseError) {
    let insert = try cached(
      "INSERT INTO erasure (only, since) VALUES (1, ?1) ON CONFLICT DO NOTHING")
    insert.bind(time.iso8601, at: 1)
    try insert.run()
  }

  /// Erases deleted data from the store's files. Returns false if that is not possible now.
  ///
  /// Deleted data was overwritten in place (`secure_delete`). But as tables grow, SQLite moves rows
  /// between pages without clearing their old places. Therefore all unused bytes are cleared, or
  /// all pages are rewritten if a quarter of them is free. The write-ahead log contains older
  /// states of pages until a checkpoint has moved the last page and truncated the log, which
  /// requires that every reader of an older state has finished.
  ///
  /// - Parameters:
  ///   - waitingMilliseconds: how long to wait for readers and writers.
  ///   - isPatient: whether to run VACUUM even while a reader blocks the checkpoint.
  ///   - isRewriting: whether to run VACUUM in any case.
  /// - Complexity: O(store).
  func erase(waitingMilliseconds: Int, isPatient: Bool, isRewriting: Bool = false) -> Bool {
    do throws(DatabaseError) {
      defer { busyTimeoutMilliseconds = Pragmas.busyTimeoutMilliseconds }
      busyTimeoutMilliseconds = Int64(waitingMilliseconds)
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
      // Must come last: after a crash before it, the work is simply done again.
      try execute("DELETE FROM erasure")
      return true
    } catch {
      return false  // the deletion is committed; the mark stays
    }
  }

  /// Returns whether enough pages are free that the file should shrink.
  private func isMostlyFree() throws(DatabaseError) -> Bool {
    let free = try integer("PRAGMA freelist_count") ?? 0
    let all = try integer("PRAGMA page_count") ?? 0
    return 4 * free > all
  }

  private enum Clearing {
    case done
    /// A reader of an older state, or a continuous writer, is in the way.
    case blocked
    /// The file cannot be cleared.
    case impossible
  }

  /// Empties the log, clears unused bytes and removes the mark, while no other connection writes.
  private func clear() throws(DatabaseError) -> Clearing {
    for _ in 0..<Self.clearingAttempts {
      guard try truncateLog() else { return .blocked }
      try execute("BEGIN IMMEDIATE")
      do throws(DatabaseError) {
        // Another connection may have written before the transaction began.
        guard try hasEmptyLog() else {
          try execute("ROLLBACK")
          continue
        }
        guard try clearUnusedBytes() else {
          try execute("ROLLBACK")
          return .impossible
        }
        // Makes other connections notice that pages changed and drop those in memory. The row's key
        // is written even though it stays the same.
        try execute("DELETE FROM erasure; UPDATE revision SET only = only; COMMIT")
      } catch {
        try? execute("ROLLBACK")
        throw error
      }
      // The log now contains only pages that were cleared.
      _ = try? truncateLog()
      return .done
    }
    return .blocked
  }

  /// Number of attempts to empty the log before giving way to continuous writers.
  private static let clearingAttempts = 5

  /// Rewrites all pages.
  private func rewrite() throws(DatabaseError) {
    // The copy of a large store should not be in memory. Its file is unnamed, and SQLite deletes it
    // right away.
    try execute("PRAGMA temp_store = FILE")
    defer { try? execute("PRAGMA temp_store = MEMORY") }
    try execute("VACUUM")
  }
}
