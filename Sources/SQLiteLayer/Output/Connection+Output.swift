import CSQLite

extension Connection {
  /// Opens an empty file of a ``DatabaseOutput`` to fill it.
  ///
  /// Only this process uses the file, so it is opened without locks. If filling it fails, the file
  /// is deleted, and it is synced once it is complete, so it needs neither journal nor syncs.
  package static func output(_ partialPath: String) throws(DatabaseError) -> Connection {
    let connection = try Connection(
      path: partialPath, flags: SQLITE_OPEN_READWRITE, fileSystem: "unix-none")
    _ = try connection.text("PRAGMA journal_mode = MEMORY")
    try connection.execute("PRAGMA synchronous = OFF")
    return connection
  }

  /// Opens an existing database of another format to change it, after waiting up to 5 seconds for
  /// the locks of other programs.
  package static func changing(_ path: String) throws(DatabaseError) -> Connection {
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("PRAGMA busy_timeout = 5000")
    return connection
  }
}
