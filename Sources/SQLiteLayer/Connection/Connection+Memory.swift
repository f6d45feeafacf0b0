import CSQLite

extension Connection {
  /// Bytes of cached pages that a writer keeps: what of the store one stretch of a track touches.
  ///
  /// A transaction as large as a file fills any cache, and an import should leave memory to others.
  /// Its pages are at hand in the system's own cache. `docs/decisions/pragmas.md` has the
  /// measurement.
  package static let writerCacheBytes = 16 << 20

  /// Bytes that the cached pages take. Complexity: O(1).
  package var cacheBytes: Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
    return Int(current)
  }

  /// Gives back all pages, in a transaction or not, where they take more than ``cacheLimitBytes``.
  /// Changed pages go to the write-ahead log first, where nobody sees them before the transaction
  /// ends.
  package func trimCache() throws(DatabaseError) {
    guard cacheBytes > cacheLimitBytes else { return }
    let code = sqlite3_db_cacheflush(handle)
    // Busy: a page is in use by an open statement, and stays.
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code, sql: nil) }
    sqlite3_db_release_memory(handle)
  }
}
