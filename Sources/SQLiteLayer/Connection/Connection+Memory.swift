import CSQLite

extension Connection {
  /// Size in bytes up to which a writer's page cache grows, whatever the size of the file: enough
  /// for the pages that rows of one area touch.
  ///
  /// A transaction as large as a file fills any cache, and an import should leave memory to other
  /// programs. Its pages remain in the system's file cache. `docs/decisions/pragmas.md` has the
  /// measurement.
  package static let writerCacheBytes = 4 << 20

  /// Size in bytes up to which the page cache of a file may grow: a 32nd of the file, but at least
  /// `least` bytes and at most four times as many. The rows of one area lie on more pages in a
  /// large file.
  static func cacheLimit(fileBytes: Int64, least: Int) -> Int {
    min(max(Int(clamping: fileBytes / 32), least), 4 * least)
  }

  /// Size of the cached pages in bytes. Complexity: O(1).
  package var cacheBytes: Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
    return Int(current)
  }

  /// Releases all cached pages if they take more than ``cacheLimitBytes``, or more than a large
  /// file allows (``cacheLimit(fileBytes:least:)``), inside a transaction or not. Changed pages are
  /// first written to the write-ahead log, where other connections do not see them before the end
  /// of the transaction.
  package func trimCache() throws(DatabaseError) {
    let size = cacheBytes
    guard size > cacheLimitBytes else { return }
    let fileBytes = hasFile ? try fileSize() : 0
    guard size > Self.cacheLimit(fileBytes: fileBytes, least: cacheLimitBytes) else { return }
    let code = sqlite3_db_cacheflush(handle)
    // Busy: a page used by an open statement stays.
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code, sql: nil) }
    sqlite3_db_release_memory(handle)
  }
}
