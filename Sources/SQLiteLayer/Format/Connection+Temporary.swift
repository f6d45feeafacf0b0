import CSQLite

extension Connection {
  /// A new database with a format's tables in a file without a name, which SQLite deletes when it
  /// is closed.
  ///
  /// - Parameter path: the path that stands in messages.
  package static func temporary(
    for path: String, format: DatabaseFormat
  ) throws(DatabaseError) -> Connection {
    let connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name: "")
    // Nobody needs it after a crash. A defensive connection has a journal; of new pages it holds
    // nothing.
    _ = try connection.text("PRAGMA journal_mode = MEMORY")
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA cache_size = \(Pragmas.cachePages)")
    for step in format.migrations { try connection.execute(step.sql) }
    return connection
  }
}
