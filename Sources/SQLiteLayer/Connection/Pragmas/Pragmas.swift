import Foundation

/// The settings of every connection. `docs/decisions/pragmas.md` gives the reasons; a test reads
/// each value back.
package enum Pragmas {
  /// Page size in bytes, which takes effect only when a database is created.
  package static let pageSizeBytes: Int64 = 4_096
  /// Maximum number of cached pages of a connection: 40 MB of 4 KiB pages.
  package static let cachePages: Int64 = 10_000
  /// Maximum number of cached pages of a connection that reads a whole store: 8 MB. It uses as much
  /// memory for sorting.
  package static let sparingCachePages: Int64 = 2_000
  /// Time in milliseconds for which a connection waits for another one's lock.
  package static let busyTimeoutMilliseconds: Int64 = 60_000
  /// Number of bytes of the file that readers map instead of copying. The writer maps nothing,
  /// because a page that it changes is copied anyway.
  package static let readerMappedBytes: Int64 = 256 << 20
  /// Number of pages in the write-ahead log that triggers a checkpoint.
  package static let checkpointPages: Int64 = 4_000

  /// Applies the settings of the connection that writes. WAL mode is stored in the file.
  package static func tuneWriter(_ connection: Connection, durability: Durability)
    throws(DatabaseError)
  {
    connection.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    try connection.execute("PRAGMA page_size = \(pageSizeBytes)")
    try switchToWriteAheadLog(connection)
    try connection.execute("PRAGMA synchronous = \(durability.rawValue)")
    try connection.execute("PRAGMA secure_delete = ON")
    try connection.execute("PRAGMA wal_autocheckpoint = \(checkpointPages)")
    try tuneBoth(connection)
  }

  /// Switches to WAL mode. Processes that create a store at the same moment block each other's
  /// switch without honoring the busy timeout, so it is retried for that long.
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

  /// Applies the settings of a connection that only reads.
  ///
  /// - Parameter isSavingMemory: true to copy pages into a small cache instead of mapping the file,
  ///   because mapped pages count as memory of the process.
  package static func tuneReader(
    _ connection: Connection, savingMemory isSavingMemory: Bool
  ) throws(DatabaseError) {
    connection.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    try connection.execute("PRAGMA query_only = ON")
    try tuneBoth(connection)
    if isSavingMemory {
      try cacheLittle(connection)
    } else {
      try connection.execute("PRAGMA mmap_size = \(readerMappedBytes)")
    }
  }

  /// Applies settings for reading or writing a whole database once, so that memory does not grow
  /// with the database. Sorting uses unnamed files, which SQLite deletes right away. Call it
  /// outside a transaction; ``tuneReader(_:savingMemory:)`` restores a reader's settings.
  package static func saveMemory(_ connection: Connection) throws(DatabaseError) {
    try cacheLittle(connection)
    try connection.execute("PRAGMA temp_store = FILE")
  }

  /// Applies the settings of a connection to a new file that is of no use after a crash or a
  /// failure. It needs no syncs. A defensive connection has a journal, which is kept in memory: it
  /// is of no use for new pages, and no second file appears next to the first one.
  static func omitRecovery(_ connection: Connection) throws(DatabaseError) {
    _ = try connection.text("PRAGMA journal_mode = MEMORY")
    try connection.execute("PRAGMA synchronous = OFF")
  }

  private static func cacheLittle(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA mmap_size = 0")
    try connection.execute("PRAGMA cache_size = \(sparingCachePages)")
  }

  private static func tuneBoth(_ connection: Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA cache_size = \(cachePages)")
    try connection.execute("PRAGMA temp_store = MEMORY")
    try connection.execute("PRAGMA foreign_keys = ON")
  }
}
