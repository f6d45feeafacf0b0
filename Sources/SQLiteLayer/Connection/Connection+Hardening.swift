import CSQLite

/// Prevents a database of unknown origin from running any code. Every connection is opened this
/// way.
///
/// The options are those that SQLite recommends for such files
/// (https://www.sqlite.org/security.html, section 1). Triggers and views are disabled altogether;
/// `ON DELETE CASCADE` is neither and still works.
extension Connection {
  private static let options: [(option: Int32, value: Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
  ]

  /// Maximum size of a text or blob in bytes. The largest that Roqua writes are the reports of
  /// imports, some kilobytes.
  package static let longestValueBytes: Int32 = 64 << 20

  /// Limits that are lower than SQLite's own (https://www.sqlite.org/limits.html).
  private static let limits: [(limit: Int32, value: Int32)] = [
    (SQLITE_LIMIT_LENGTH, longestValueBytes), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    (SQLITE_LIMIT_ATTACHED, 1),  // VACUUM attaches one
  ]

  /// Applies the options and limits, and returns SQLite's result code.
  static func harden(_ handle: OpaquePointer) -> Int32 {
    for (option, value) in options {
      let code = roqua_sqlite_set_option(handle, option, value)
      guard code == SQLITE_OK else { return code }
    }
    for (limit, value) in limits { sqlite3_limit(handle, limit, value) }
    return sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nil, nil, nil)
  }
}
