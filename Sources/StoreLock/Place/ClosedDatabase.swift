import ByteStreams
import CSQLite
import Foundation
import SQLiteLayer

/// A database that nobody else has open, as one file without a log. It stays locked against others
/// as long as this object exists.
final class ClosedDatabase {
  private let connection: Connection
  private let path: String
  /// The number of its bytes.
  let byteCount: Int

  /// The endings of the files that SQLite may leave next to a database.
  static let logEndings = ["-wal", "-journal", "-shm"]

  /// Brings the log of a database into its file. This loses nothing wherever it is interrupted.
  ///
  /// - Throws: ``LockError/inUse(path:)`` if another connection, of any process, has it open, and
  ///   `DatabaseError` if it is damaged or cannot be written.
  init(path: String) throws {
    var status = stat()
    if stat(path, &status) == 0, status.st_nlink > 1 {
      throw LockError.unsuitable(
        path: path, reason: "its file has \(status.st_nlink) names, and would remain under another")
    }
    guard DatabaseFile.isDatabase(path: path) else { throw DatabaseError.notADatabase(path: path) }
    self.path = path
    do throws(DatabaseError) {
      try Self.putBackJournal(path: path)
      connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
      try DatabaseFile.checkWholeness(of: connection)
      connection.busyTimeoutMilliseconds = 0
      // Must precede the first access (https://www.sqlite.org/wal.html, section 7).
      _ = try connection.text("PRAGMA locking_mode = EXCLUSIVE")
      try Self.takeLock(connection)
      // While the lock is held, SQLite would keep the journal of another mode, with old contents.
      guard try connection.text("PRAGMA journal_mode = TRUNCATE") == "truncate" else {
        throw .busy(path: path)
      }
      // The lock of before was that of the log.
      try Self.takeLock(connection)
      byteCount = Int(try connection.fileSize())
    } catch {
      guard case .busy = error else { throw error }
      throw LockError.inUse(path: path)
    }
  }

  private static func takeLock(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
  }

  /// Makes SQLite roll back what a killed program left, as ``ReplacedDatabase`` does.
  private static func putBackJournal(path: String) throws(DatabaseError) {
    var status = stat()
    guard stat(path + "-journal", &status) == 0 else { return }
    let reader = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    reader.busyTimeoutMilliseconds = 0
    _ = try reader.integer("SELECT count(*) FROM sqlite_schema")
  }

  /// Returns at most 1 MiB from an offset on.
  func bytes(at offset: Int) throws(DatabaseError) -> [UInt8] {
    try connection.fileBytes(at: Int64(offset), count: min(1 << 20, byteCount - offset))
  }

  /// Removes the files that SQLite may have left next to it.
  static func removeLogs(of path: String) throws(LockError) {
    for ending in logEndings { try LockPlace.remove(path + ending) }
  }
}
