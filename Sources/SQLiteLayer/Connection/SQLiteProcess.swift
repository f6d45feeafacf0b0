import CSQLite

/// Settings of SQLite for the whole process.
package enum SQLiteProcess {
  /// Turns off SQLite's memory statistics, each update of which takes a lock. Writing many rows
  /// then takes a tenth less time.
  ///
  /// For programs that own their process, such as the tool; a library must not decide this for its
  /// host. Call it before the first database is opened; later it has no effect.
  /// - Returns: whether it took effect.
  @discardableResult
  package static func forgoMemoryStatistics() -> Bool {
    roqua_sqlite_forgo_memory_statistics() == SQLITE_OK
  }
}
