import CSQLite

/// The connection that changes a database, and the place of its file.
package struct DatabaseWriter {
  /// The connection.
  package let connection: Connection
  /// The open file, and the path under which it was opened.
  package let place: DatabasePlace

  /// Both properties as a pair.
  package var parts: (Connection, DatabasePlace) { (connection, place) }

  /// Opens the file at a path for writing, and migrates it to the current version.
  ///
  /// - Throws: ``DatabaseError``; another program's file is left unchanged.
  package init(path: String, options: DatabaseOptions) throws(DatabaseError) {
    connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, fileSystem: options.fileSystem)
    connection.cacheLimitBytes = options.writerCacheBytes
    // Must precede SQLite's first read, which may write: the file may be another program's.
    try DatabaseFile.checkWholeness(of: connection)
    try DatabaseFile.checkOwner(of: connection, format: options.format)
    place = try DatabasePlace(of: connection)
    connection.busyTimeoutMilliseconds = Pragmas.busyTimeoutMilliseconds
    _ = try options.format.committedVersion(
      of: connection, verifying: !options.acceptsAlteredSchema)
    try Pragmas.tuneWriter(connection, durability: options.durability)
    try options.format.migrate(connection, acceptingAlterations: options.acceptsAlteredSchema)
  }
}
