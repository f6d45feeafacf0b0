import CSQLite

extension Connection {
  /// Opens an empty file of a ``DatabaseOutput`` to fill it.
  ///
  /// Only this process uses the file, so it is opened without locks: the file is already locked, in
  /// a way that coincides with SQLite's locks on some systems. If filling it fails, the file is
  /// deleted, and it is synced once it is complete, so it needs neither journal nor syncs.
  ///
  /// - Parameter fileSystem: the name of SQLite's file system (VFS); if nil, SQLite's one without
  ///   locks.
  package static func output(
    _ partialPath: String, fileSystem: String? = nil
  ) throws(DatabaseError) -> Connection {
    let connection = try Connection(
      path: partialPath, flags: SQLITE_OPEN_READWRITE, fileSystem: fileSystem ?? "unix-none")
    try Pragmas.omitRecovery(connection)
    return connection
  }

  /// Lets statements write the tables in which SQLite keeps a virtual table, such as the nodes of
  /// an R-tree, and values of up to 1 GB. Only for a connection whose file is new, so that nobody
  /// else has put anything into it.
  package func allowShadowTables() throws(DatabaseError) {
    let code = roqua_sqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1_000_000_000)
  }

  /// Opens an existing database of another format to change it, after waiting up to 5 seconds for
  /// the locks of other programs.
  package static func changing(_ path: String) throws(DatabaseError) -> Connection {
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    connection.busyTimeoutMilliseconds = 5_000
    return connection
  }
}
