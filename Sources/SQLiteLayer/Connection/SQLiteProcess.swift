import CSQLite

/// What holds for SQLite in the whole process.
///
/// ```swift
/// SQLiteProcess.forgoMemoryStatistics()
/// let explorer = try Explorer(storePath: "tracks.roqua")
/// ```
public enum SQLiteProcess {
  /// Lets SQLite do without counts of its memory, each of which takes a lock: writing regions takes
  /// a tenth less time.
  ///
  /// For programs that own their process, as the tool does; a library must not decide this for its
  /// host. Call it before the first store is opened: later it has no effect.
  /// - Returns: whether it took effect.
  @discardableResult
  public static func forgoMemoryStatistics() -> Bool {
    roqua_sqlite_forgo_memory_statistics() == SQLITE_OK
  }
}
