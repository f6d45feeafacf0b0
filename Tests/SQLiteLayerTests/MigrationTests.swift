import CFaultVFS
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import SQLiteLayer

/// Databases of older versions of a made-up format. The tests are serialized because the failing
/// file system is global.
@Suite(.serialized) struct MigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let first = """
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX notes_by_text ON notes (text);
    """
  private static let second = """
    ALTER TABLE notes ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
    UPDATE notes SET length = length(text);
    CREATE TABLE lengths (length INTEGER PRIMARY KEY, notes INTEGER NOT NULL) STRICT;
    INSERT INTO lengths SELECT length, count(*) FROM notes GROUP BY length;
    """
  private static let steps = [
    Migration(first),
    Migration(
      second,
      alteredTables: [
        "notes": """
        CREATE TABLE notes (
          id INTEGER PRIMARY KEY,
          text TEXT NOT NULL
        , length INTEGER NOT NULL DEFAULT 0) STRICT
        """
      ]),
  ]
  private static let formats = (1...2).map {
    DatabaseFormat(name: "Made-up", applicationID: 0x4D61_6465, migrations: Array(steps[..<$0]))
  }

  private func options(_ version: Int, fileSystem: String? = nil) -> DatabaseOptions {
    var options = DatabaseOptions(format: Self.formats[version - 1])
    options.fileSystem = fileSystem
    return options
  }

  /// Writes a database of version 1 with rows, and closes it.
  private func makeOld(_ path: String, rows: Int = 300) throws {
    try DatabaseFile.make(path: path)
    let writer = try DatabaseWriter(path: path, options: options(1)).connection
    for row in 0..<rows {
      try writer.execute(
        "INSERT INTO notes (text) VALUES ('\(String(repeating: "x", count: row % 17))')")
    }
    _ = try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func expectNew(_ connection: Connection, rows: Int = 300, _ place: Comment = "") throws {
    #expect(try connection.integer("PRAGMA user_version") == 2, place)
    #expect(
      try connection.integer("SELECT coalesce(sum(length), 0) FROM notes")
        == Int64((0..<rows).reduce(0) { $0 + $1 % 17 }), place)
    #expect(
      try connection.integer("SELECT coalesce(sum(notes), 0) FROM lengths") == Int64(rows), place)
    #expect(try connection.text("PRAGMA integrity_check") == "ok", place)
    try Self.formats[1].verify(connection)
  }

  @Test func `an older database is migrated to the current version with all its rows`() throws {
    let path = folder.file("old.db")
    try makeOld(path)
    try expectNew(DatabaseWriter(path: path, options: options(2)).connection)
    // The second time there is nothing to migrate.
    try expectNew(DatabaseWriter(path: path, options: options(2)).connection)
  }

  @Test func `a new database has the tables of all migrations`() throws {
    let path = folder.file("new.db")
    try DatabaseFile.make(path: path)
    try expectNew(DatabaseWriter(path: path, options: options(2)).connection, rows: 0)
  }

  @Test func `an older program refuses a newer database and leaves it unchanged`() throws {
    let path = folder.file("new.db")
    try makeOld(path)
    _ = try DatabaseWriter(path: path, options: options(2))
    #expect(throws: DatabaseError.newerVersion(path: path, found: 2, supported: 1)) {
      _ = try DatabaseWriter(path: path, options: options(1))
    }
    try expectNew(DatabaseWriter(path: path, options: options(2)).connection)
  }

  @Test func `a failed migration changes nothing`() throws {
    let path = folder.file("old.db")
    try makeOld(path)
    let broken = DatabaseFormat(
      name: "Made-up", applicationID: 0x4D61_6465,
      migrations: [
        Self.steps[0], Migration("CREATE TABLE lengths (a); INSERT INTO nowhere VALUES (1);"),
      ])
    #expect(throws: DatabaseError.self) {
      _ = try DatabaseWriter(path: path, options: DatabaseOptions(format: broken))
    }
    let reader = try Connection(path: path, flags: SQLITE_OPEN_READONLY)
    #expect(try reader.integer("PRAGMA user_version") == 1)
    #expect(try reader.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'lengths'") == 0)
    try Self.formats[0].verify(reader)
  }

  @Test func `a table that a migration alters is verified by the SQL that SQLite stores`() throws {
    let path = folder.file("old.db")
    try makeOld(path)
    let writer = try DatabaseWriter(path: path, options: options(2)).connection
    let text = try writer.text("SELECT sql FROM sqlite_schema WHERE name = 'notes'")
    #expect(text == Self.formats[1].texts.tables["notes"])
    try writer.execute("ALTER TABLE notes ADD COLUMN more TEXT")
    #expect(throws: DatabaseError.self) { try Self.formats[1].verify(writer) }
  }

  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `after a failure while an old database is opened, the next try migrates it`(
    kind: Int32
  ) throws {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let base = folder.file("base.db")
    try makeOld(base)
    var (n, failures, hasReachedEnd) = (0, 0, false)
    while !hasReachedEnd {
      n += 1
      let path = folder.file("\(n).db")
      try FileManager.default.copyItem(atPath: base, toPath: path)
      var failure: DatabaseError?
      fault_vfs_arm(kind, n)
      do throws(DatabaseError) {
        let writer = try DatabaseWriter(path: path, options: options(2, fileSystem: "fault"))
          .connection
        _ = try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)")
      } catch {
        failure = error
      }
      hasReachedEnd = fault_vfs_has_failed() == 0
      fault_vfs_arm(kind, 0)
      let place: Comment = "kind \(kind), operation \(n): \(failure?.description ?? "no error")"
      if hasReachedEnd { #expect(failure == nil, place) }
      if let failure {
        failures += 1
        #expect(!failure.description.contains("\n"), place)
      }
      try expectNew(DatabaseWriter(path: path, options: options(2)).connection, place)
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    #expect(failures > (kind == Int32(FAULT_SYNC_FROM) ? 0 : 5), "only \(failures) failures")
  }
}
