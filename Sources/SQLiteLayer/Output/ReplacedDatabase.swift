import CSQLite
import Foundation

/// A database that is about to be replaced by another file of its name, locked as long as this
/// object exists.
///
/// A process that has the database open in write-ahead mode would continue to write to the `-wal`
/// file next to it, and whoever opens the new file would take that log for the new file's and mix
/// pages of both. Such a process holds SQLite's shared lock on the file even while it is idle and
/// its log is empty, so an exclusive lock detects it. In other modes an idle process holds no lock
/// and cannot be detected; its later writes go to the file that it opened, which then has no name.
package final class ReplacedDatabase {
  private let connection: Connection
  private let path: String

  /// Locks the file, after SQLite has recovered from what a killed program left next to it. Returns
  /// nil if there is no file, or it is not a database that SQLite can read and so is not in use as
  /// one.
  ///
  /// - Throws: ``DatabaseError/cannotWrite(path:reason:)`` if another connection, of any process,
  ///   has it open.
  package init?(path: String) throws(DatabaseError) {
    guard DatabaseFile.isDatabase(path: path) else { return nil }
    self.path = path
    do throws(DatabaseError) {
      try Self.putBackJournal(path: path)
      connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
      connection.busyTimeoutMilliseconds = 0
      // Must precede the first access, so that not even a `-shm` file is created:
      // https://www.sqlite.org/wal.html, section 7.
      _ = try connection.text("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
    } catch {
      guard case .busy = error else { return nil }
      throw Self.inUse(path)
    }
  }

  /// Makes SQLite roll back and delete a journal that a killed program left next to the file.
  /// SQLite does so when it reads, but keeps the journal file in exclusive locking mode, so a
  /// separate connection is used.
  private static func putBackJournal(path: String) throws(DatabaseError) {
    var status = stat()
    guard stat(DatabaseFile.resolved(path) + "-journal", &status) == 0 else { return }
    let reader = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    reader.busyTimeoutMilliseconds = 0
    _ = try reader.integer("SELECT count(*) FROM sqlite_schema")
  }

  /// Takes the file out of write-ahead mode, so that closing it after the move does not remove the
  /// new file's log. Call this right before the move. The journal of that change is kept in memory,
  /// so a killed process leaves none.
  package func leaveLog() throws(DatabaseError) {
    do throws(DatabaseError) {
      _ = try connection.text("PRAGMA journal_mode = MEMORY")
    } catch {
      guard case .busy = error else { return }
      throw Self.inUse(path)
    }
  }

  private static func inUse(_ path: String) -> DatabaseError {
    .cannotWrite(
      path: path, reason: "another program has the existing database open; close it first")
  }
}
