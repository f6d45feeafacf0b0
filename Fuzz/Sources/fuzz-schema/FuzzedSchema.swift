import CSQLite
import FuzzSupport

@testable import GeoStore
@testable import SQLiteLayer

/// The store whose schema is changed.
enum FuzzedSchema {
  private static let name = "schema.sqlite"

  /// The bytes of a new store with a setting. It has no difference.
  private static let original: [UInt8] = {
    do {
      let connection = try Connection(
        path: FuzzFolder.file(name), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      try connection.execute("PRAGMA page_size = 512; PRAGMA synchronous = OFF")
      for step in Schema.format.migrations { try connection.execute(step.sql) }
      try connection.execute("INSERT INTO settings (key, value) VALUES ('visitGapMinutes', 45)")
      let new = try Connection.temporary(for: connection.path, format: Schema.format)
      let differences = try SchemaDifference.all(in: connection, against: new)
      require(differences.isEmpty, "a new store differs: \(differences.map(\.description))")
    } catch {
      fatalError("\(error)")
    }
    return FuzzFolder.read(name) ?? []
  }()

  /// Parts of the names of pragmas that change the process, and so the inputs that follow.
  private static let globalPragmas = ["_directory", "heap_limit"]

  /// Writes the original file.
  static func restore() {
    let original = original
    FuzzFolder.remove(["-wal", "-shm", "-journal"].map { name + $0 })
    FuzzFolder.write(original, to: name)
  }

  /// Opens the file as Roqua does.
  static func open() throws(DatabaseError) -> Connection {
    let connection = try Connection(path: FuzzFolder.file(name), flags: SQLITE_OPEN_READWRITE)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON")
    return connection
  }

  /// Runs statements as another program can, which may also write the schema table. Statements that
  /// SQLite rejects change nothing. No other file can be attached, and so none is created.
  static func execute(_ statements: [String]) {
    guard
      let connection = try? Connection(path: FuzzFolder.file(name), flags: SQLITE_OPEN_READWRITE),
      roqua_sqlite_set_option(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 0) == SQLITE_OK
    else { return }
    sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
    try? connection.execute(
      "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON")
    for sql in statements where !globalPragmas.contains(where: sql.lowercased().contains) {
      try? connection.execute(sql)
    }
  }
}
