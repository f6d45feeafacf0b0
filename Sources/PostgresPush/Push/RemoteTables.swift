/// Roqua's tables in a database.
struct RemoteTables {
  let connection: PostgresConnection

  /// The version of the tables; nil if there are none.
  ///
  /// - Throws: ``PostgresError``.
  func storedVersion() throws(PostgresError) -> Int? {
    let found = try connection.run("SELECT to_regclass('roqua.about') IS NOT NULL")
    guard found[0, 0] == "t" else { return nil }
    let version = try connection.run("SELECT version FROM roqua.about")
    return version.count == 1 ? version[0, 0].flatMap { Int($0) } : nil
  }

  /// Throws an error unless the tables are those that this program knows.
  func check() throws(PostgresError) {
    guard let version = try storedVersion() else { throw .noTables }
    guard version == PostgresSchema.version else {
      throw .otherVersion(found: version, supported: PostgresSchema.version)
    }
  }

  /// Makes the tables if there are none, in the present transaction.
  ///
  /// - Returns: whether it made them.
  /// - Throws: ``PostgresError``.
  func makeIfMissing() throws(PostgresError) -> Bool {
    if try storedVersion() == nil {
      // Two first pushes at once: the second one waits, and then finds the tables.
      try connection.run("SELECT pg_advisory_xact_lock($1::bigint)", ["\(Self.lock)"])
    }
    if try storedVersion() != nil {
      try check()
      return false
    }
    do {
      try connection.run("CREATE EXTENSION IF NOT EXISTS postgis")
    } catch {
      // The user may not add it, or the server does not have its files.
      guard case .refused(let code, let reason) = error,
        ["42501", "0A000", "58P01"].contains(code)
      else { throw error }
      throw .noPostGIS(reason: reason)
    }
    try connection.runScript(PostgresSchema.sql(for: .plain))
    return true
  }

  /// The number of the lock under which the tables are made: "Roqua" in ASCII.
  private static let lock: Int64 = 0x52_6F71_7561
}
