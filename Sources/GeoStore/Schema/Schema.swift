/// The database's tables by version, and how a file is told to be a store.
enum Schema {
  /// `PRAGMA application_id` of a store: "Roqu" in ASCII.
  static let applicationID: Int64 = 0x526F_7175
  /// The version that this code writes, kept in `PRAGMA user_version`.
  static var currentVersion: Int { migrations.count }

  /// The step to version n is element n - 1. A step that was released is never edited: a new one follows it.
  static let migrations: [String] = [
    version1, version2, version3, version4, version5, version6, version7, version8,
  ]

  /// Brings a database to the current version, all steps in one transaction.
  ///
  /// - Parameter acceptsAlterations: whether tables may be others than Roqua made.
  /// - Throws: ``StoreError/otherProgram(path:)`` for a database with tables that is no store,
  ///   ``StoreError/newerVersion(path:found:supported:)`` for one from the future, and
  ///   ``StoreError/alteredSchema(path:detail:)``. None is changed.
  static func migrate(_ connection: Connection, acceptingAlterations acceptsAlterations: Bool)
    throws(StoreError)
  {
    if try committedVersion(of: connection) == currentVersion { return }
    try connection.writeTransaction { () throws(StoreError) in
      // Another process may have migrated while this one waited for the lock.
      let found = try version(of: connection)
      guard found < currentVersion else { return }
      for step in migrations[found...] { try connection.execute(step) }
      if !acceptsAlterations { try verify(connection) }
      try connection.execute("PRAGMA application_id = \(applicationID)")
      try connection.execute("PRAGMA user_version = \(currentVersion)")
    }
  }

  /// The version of a store, in one unchanging state: another process may be making its tables at this moment.
  ///
  /// - Parameter isVerifying: whether the tables of the current version must be those that Roqua made (``verify(_:)``).
  static func committedVersion(
    of connection: Connection, verifying isVerifying: Bool = false
  ) throws(StoreError) -> Int {
    try connection.readTransaction { () throws(StoreError) in
      let version = try version(of: connection)
      if isVerifying, version == currentVersion { try verify(connection) }
      return version
    }
  }

  /// The version of a store, 0 for a database without tables. Reads only, inside a transaction.
  static func version(of connection: Connection) throws(StoreError) -> Int {
    try version(
      applicationID: try connection.integer("PRAGMA application_id") ?? 0,
      version: Int(try connection.integer("PRAGMA user_version") ?? 0),
      hasNoTables: try connection.integer("SELECT count(*) FROM sqlite_schema") == 0, path: connection.path)
  }

  /// The version of a store by what stands in its first page, 0 for a database without tables.
  static func version(
    applicationID id: Int64, version: Int, hasNoTables: @autoclosure () throws(StoreError) -> Bool,
    path: String
  ) throws(StoreError) -> Int {
    if id != applicationID {
      guard id == 0, try hasNoTables() else { throw .otherProgram(path: path) }
      return 0
    }
    guard version <= currentVersion else {
      throw .newerVersion(path: path, found: version, supported: currentVersion)
    }
    guard version >= 1 else { throw .damaged(path: path, detail: "store version \(version)") }
    return version
  }
}
