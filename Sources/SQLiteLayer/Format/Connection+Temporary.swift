import CSQLite

extension Connection {
  /// Creates a database with a format's tables in an unnamed file, which SQLite deletes when it is
  /// closed.
  ///
  /// - Parameter path: the path used in messages.
  package static func temporary(
    for path: String, format: DatabaseFormat
  ) throws(DatabaseError) -> Connection {
    let connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name: "")
    try Pragmas.omitRecovery(connection)
    try connection.execute("PRAGMA cache_size = \(Pragmas.cachePages)")
    for step in format.migrations { try connection.execute(step.sql) }
    return connection
  }
}
