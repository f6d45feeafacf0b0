import CSQLite

/// The connection that changes a database, and the place of its file.
package struct DatabaseWriter {
  /// The connection.
  package let connection: Connection
  /// The file that it has open, and the path that named it.
  package let place: DatabasePlace

  /// Both, for those who need a name for each.
  package var parts: (Connection, DatabasePlace) { (connection, place) }

  /// Opens the file at a path to be changed, and brings it to the current version.
  ///
  /// - Throws: ``DatabaseError``; a file of another program is left as it is.
  package init(path: String, options: DatabaseOptions) throws(DatabaseError) {
    connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, fileSystem: options.fileSystem)
    connection.cacheLimitBytes = options.writerCacheBytes
    // Before SQLite looks at a file that may be another program's: it may write when it does.
    try DatabaseFile.checkWholeness(of: connection)
    try DatabaseFile.checkOwner(of: connection, format: options.format)
    place = try DatabasePlace(of: connection)
    try connection.execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
    _ = try options.format.committedVersion(
      of: connection, verifying: !options.acceptsAlteredSchema)
    try Pragmas.tuneWriter(connection, durability: options.durability)
    try options.format.migrate(connection, acceptingAlterations: options.acceptsAlteredSchema)
  }
}
