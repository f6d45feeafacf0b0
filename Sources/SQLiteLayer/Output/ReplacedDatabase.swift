import CSQLite
import Foundation

/// A database that is about to be replaced by another file of its name, locked for as long as this
/// lives.
///
/// A process that has it open in write-ahead mode would go on writing to `-wal` beside it, and who
/// opens the new file would take that log for the new file's and mix pages of both. Such a process
/// holds SQLite's shared lock of the file also while it does nothing and its log is empty, so that
/// an exclusive one tells. In another mode who does nothing holds no lock, and cannot be noticed;
/// what it writes later goes to the file that it opened, which is then nobody's.
package final class ReplacedDatabase {
  private let connection: Connection
  private let path: String

  /// Locks the file, after SQLite has put right what a program that was killed left beside it; nil
  /// where there is none, or it is no database that SQLite can read: then nobody uses it as one.
  ///
  /// - Throws: ``DatabaseError/cannotWrite(path:reason:)`` where another connection, of any
  ///   process, has it open.
  package init?(path: String) throws(DatabaseError) {
    guard DatabaseFile.isDatabase(path: path) else { return nil }
    self.path = path
    do throws(DatabaseError) {
      try Self.putBackJournal(path: path)
      connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
      try connection.execute("PRAGMA busy_timeout = 0")
      // Before the first access, so that not even a `-shm` is made:
      // https://www.sqlite.org/wal.html, section 7.
      _ = try connection.text("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
    } catch {
      guard case .busy = error else { return nil }
      throw Self.inUse(path)
    }
  }

  /// Has SQLite put back, and delete, a journal that a program which was killed left beside the
  /// file. It does so where it reads, but keeps the journal's file in the exclusive locking mode:
  /// so this is done by a connection of its own.
  private static func putBackJournal(path: String) throws(DatabaseError) {
    var status = stat()
    guard stat(DatabaseFile.resolved(path) + "-journal", &status) == 0 else { return }
    let reader = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    try reader.execute("PRAGMA busy_timeout = 0")
    _ = try reader.integer("SELECT count(*) FROM sqlite_schema")
  }

  /// Takes the file out of write-ahead mode: closing it after the move must not remove a log that
  /// is the new file's. Call this right before the move. The journal of that change is kept in
  /// memory: a process that is killed leaves none.
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
      path: path, reason: "another program has the database open that is there; close it first")
  }
}
