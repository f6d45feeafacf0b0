import Foundation

/// How every connection is tuned. `docs/decisions/pragmas.md` gives the reasons, a test reads each
/// value back.
package enum Pragmas {
  /// Bytes a page; takes effect only when a database is made.
  package static let pageSizeBytes: Int64 = 4_096
  /// Pages of cache a connection may fill: 40 MB of 4 KiB pages.
  package static let cachePages: Int64 = 10_000
  /// Pages of cache a connection may fill that goes through a whole store: 8 MB. It sorts as much
  /// in memory.
  package static let sparingCachePages: Int64 = 2_000
  /// How long a connection waits for a lock of another one, in milliseconds.
  package static let busyTimeoutMilliseconds: Int64 = 60_000
  /// Bytes of the file that readers map instead of copying. The writer maps nothing: a page that it
  /// changes is copied anyway.
  package static let readerMappedBytes: Int64 = 256 << 20
  /// Pages in the write-ahead log that start a checkpoint.
  package static let checkpointPages: Int64 = 4_000

  /// Applies what holds for the connection that writes. WAL mode stays in the file.
  package static func tuneWriter(_ connection: Connection, durability: Durability)
    throws(DatabaseError)
  {
    try connection.execute("PRAGMA busy_timeout = \(busyTimeoutMilliseconds)")
    try connection.execute("PRAGMA page_size = \(pageSizeBytes)")
    try switchToWriteAheadLog(connection)
    try connection.execute("PRAGMA synchronous = \(durability.rawValue)")
    try connection.execute("PRAGMA secure_delete = ON")
    try connection.execute("PRAGMA wal_autocheckpoint = \(checkpointPages)")
    try tuneBoth(connection)
  }

  /// Processes that make a store at the same moment refuse each other this switch without waiting
  /// for the busy timeout: so it is tried again for as long.
  private static func switchToWriteAheadLog(_ connection: Connection) throws(DatabaseError) {
    let end = ContinuousClock.now + .milliseconds(busyTimeoutMilliseconds)
    while true {
      do throws(DatabaseError) {
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
          throw .cannotOpen(
            path: connection.path, reason: "this file system does not support write-ahead logging")
        }
        return
      } catch {
        guard case .busy = error, ContinuousClock.now < end else { throw error }
        usleep(5_000)
      }
    }
  }

  /// Applies what holds for a connection that only reads.
  package static func tuneReader(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA busy_timeout = \(busyTimeoutMilliseconds)")
    try connection.execute("PRAGMA query_only = ON")
    try connection.execute("PRAGMA mmap_size = \(readerMappedBytes)")
    try tuneBoth(connection)
  }

  /// Applies what holds while a connection reads or writes a whole database once: its memory does
  /// not grow with the database. What it sorts goes to files without names, which SQLite deletes at
  /// once. Call it outside a transaction; ``tuneReader(_:)`` ends it for a reader.
  package static func saveMemory(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA mmap_size = 0")
    try connection.execute("PRAGMA cache_size = \(sparingCachePages)")
    try connection.execute("PRAGMA temp_store = FILE")
  }

  private static func tuneBoth(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA cache_size = \(cachePages)")
    try connection.execute("PRAGMA temp_store = MEMORY")
    try connection.execute("PRAGMA foreign_keys = ON")
  }
}
