import CSQLite

/// The connection that changes a store, and the place of its file.
struct StoreWriter {
  /// The connection.
  let connection: Connection
  /// The file that it has open, and the path that named it.
  let place: StorePlace

  /// Both, for those who need a name for each.
  var parts: (Connection, StorePlace) { (connection, place) }

  /// Opens the file at a path to be changed, and brings it to the current version.
  ///
  /// - Throws: ``StoreError``; a file that is no store is left as it is.
  init(path: String, options: StoreOptions) throws(StoreError) {
    connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, fileSystem: options.fileSystem,
      isVolumeFull: options.isVolumeFull)
    connection.cacheLimitBytes = options.writerCacheBytes
    // Before SQLite looks at a file that may be another program's: it may write when it does.
    try StoreFile.checkWholeness(of: connection)
    try StoreFile.checkOwner(of: connection)
    place = try StorePlace(of: connection)
    try connection.execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
    _ = try Schema.committedVersion(of: connection, verifying: !options.acceptsAlteredSchema)
    try Pragmas.tuneWriter(connection, durability: options.durability)
    try Schema.migrate(connection, acceptingAlterations: options.acceptsAlteredSchema)
  }
}
