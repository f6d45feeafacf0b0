/// The format of one program's databases: the tables by version, and how to recognize a file as
/// such a database.
package struct DatabaseFormat: Sendable {
  /// The program's name, for messages.
  package let name: String
  /// `PRAGMA application_id` (https://www.sqlite.org/pragma.html#pragma_application_id).
  package let applicationID: Int64
  /// The migrations. The step to version n is element n - 1.
  package let migrations: [Migration]
  /// The texts of the objects that the steps create.
  package let texts: SchemaTexts

  /// Creates a format whose current version is the number of its migrations.
  ///
  /// - Complexity: O(bytes of the migrations).
  package init(name: String, applicationID: Int64, migrations: [Migration]) {
    self.name = name
    self.applicationID = applicationID
    self.migrations = migrations
    texts = SchemaTexts(migrations)
  }

  /// The version that this code writes, stored in `PRAGMA user_version`.
  package var currentVersion: Int { migrations.count }

  /// Migrates a database to the current version, all steps in one transaction.
  ///
  /// - Parameter acceptsAlterations: whether tables may differ from those that the steps create.
  /// - Throws: ``DatabaseError/otherProgram(path:)`` for a database with another program's tables,
  ///   ``DatabaseError/newerVersion(path:found:supported:)`` for one of a newer version, and
  ///   ``DatabaseError/alteredSchema(path:detail:)``. The database is not changed then.
  package func migrate(
    _ connection: Connection, acceptingAlterations acceptsAlterations: Bool
  ) throws(DatabaseError) {
    if try committedVersion(of: connection) == currentVersion { return }
    try connection.writeTransaction { () throws(DatabaseError) in
      // Another process may have migrated it while this one waited for the lock.
      let found = try version(of: connection)
      guard found < currentVersion else { return }
      for step in migrations[found...] { try connection.execute(step.sql) }
      if !acceptsAlterations { try verify(connection) }
      try connection.execute("PRAGMA application_id = \(applicationID)")
      try connection.execute("PRAGMA user_version = \(currentVersion)")
    }
  }

  /// Returns the version of a database, read in one unchanging state because another process may be
  /// creating its tables.
  ///
  /// - Parameter isVerifying: whether the tables of the current version must be those that the
  ///   steps create (``verify(_:)``).
  package func committedVersion(
    of connection: Connection, verifying isVerifying: Bool = false
  ) throws(DatabaseError) -> Int {
    try connection.readTransaction { () throws(DatabaseError) in
      let version = try version(of: connection)
      if isVerifying, version == currentVersion { try verify(connection) }
      return version
    }
  }

  /// Returns the version of a database, 0 if it has no tables. Only reads; call it inside a
  /// transaction.
  package func version(of connection: Connection) throws(DatabaseError) -> Int {
    try version(
      applicationID: try connection.integer("PRAGMA application_id") ?? 0,
      version: Int(try connection.integer("PRAGMA user_version") ?? 0),
      hasNoTables: try connection.integer("SELECT count(*) FROM sqlite_schema") == 0,
      path: connection.path)
  }

  /// Returns the version of a database from the values of its first page, 0 if it has no tables.
  func version(
    applicationID id: Int64, version: Int,
    hasNoTables: @autoclosure () throws(DatabaseError) -> Bool, path: String
  ) throws(DatabaseError) -> Int {
    if id != applicationID {
      guard id == 0, try hasNoTables() else { throw .otherProgram(path: path) }
      return 0
    }
    guard version <= currentVersion else {
      throw .newerVersion(path: path, found: version, supported: currentVersion)
    }
    guard version >= 1 else { throw .damaged(path: path, detail: "version \(version)") }
    return version
  }
}
