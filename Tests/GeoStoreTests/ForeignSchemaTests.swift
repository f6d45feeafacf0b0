import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Stores modified by others: tables replaced by views, or with triggers and indexes added to them.
@Suite struct ForeignSchemaTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("s.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func fill() throws {
    let store = try Store(path: path, creating: true)
    var random = SplitMix64(seed: 3)
    try store.add(
      wanderingTrack(count: 200, homes: [Coordinate(47.37, 8.54)], using: &random), as: "one")
    try store.checkpoint()
  }

  /// Runs SQL like any other program.
  private func forge(_ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    var message: UnsafeMutablePointer<CChar>?
    defer { sqlite3_free(message) }
    let code = sqlite3_exec(database, sql, nil, nil, &message)
    try #require(code == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
  }

  private static let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  /// SQL, the text that the error contains, and whether a repair removes the change.
  private static let forgeries: [(sql: String, word: String, isRepaired: Bool)] = [
    (
      "CREATE TRIGGER thief BEFORE INSERT ON kept_fixes BEGIN SELECT RAISE(IGNORE); END",
      "the trigger thief on kept_fixes is not Roqua's", true
    ),
    (
      "CREATE TRIGGER thief AFTER INSERT ON Sources BEGIN DELETE FROM kept_fixes; END",
      "the trigger thief on Sources is not Roqua's", true
    ),
    (
      "CREATE TRIGGER thief INSTEAD OF INSERT ON days BEGIN DELETE FROM kept_fixes; END",
      "the trigger thief on days is not Roqua's", true
    ),
    (
      """
      DROP TABLE repeat_visits; CREATE VIEW repeat_visits AS \(endless) \
      SELECT i AS region_id, 0 AS block, '0:1' AS visits FROM n
      """,
      "the table repeat_visits is a view", true
    ),
    (
      """
      DROP TABLE revision; CREATE VIEW revision AS \(endless) \
      SELECT 1 AS only, count(*) AS regions FROM n
      """,
      "the table revision is a view", true
    ),
    (
      """
      PRAGMA foreign_keys = OFF; ALTER TABLE settings RENAME TO mine; \
      CREATE VIEW settings AS SELECT * FROM mine
      """,
      "the table settings is a view", false
    ),
    (
      "ALTER TABLE sources ADD COLUMN note TEXT AS (path || path)",
      "the table sources differs from the one that Roqua creates", true
    ),
    (
      "ALTER TABLE revision ADD COLUMN odd INTEGER AS (length(zeroblob(90000000)))",
      "the table revision differs from the one that Roqua creates", true
    ),
    (
      "ALTER TABLE kept_fixes ADD COLUMN odd INTEGER AS (length(zeroblob(90000000)))",
      "the table kept_fixes differs from the one that Roqua creates", true
    ),
    (
      "ALTER TABLE kept_fixes ADD COLUMN note TEXT CHECK (length(payload) < 99999)",
      "the table kept_fixes differs from the one that Roqua creates", true
    ),
    (
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'radius INTEGER NOT NULL', \
      'radius INTEGER NOT NULL CHECK (radius < 91)')
        WHERE name = 'regions';
      """, "the table regions differs from the one that Roqua creates", true
    ),
    (
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('index', 'quiet', 'sources', 0,
        'CREATE TRIGGER quiet BEFORE INSERT ON sources BEGIN SELECT RAISE(IGNORE); END');
      """, "the schema lists quiet as an index, but its SQL does not create one", false
    ),
    (
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET tbl_name = 'ADOPTED_TIMES', sql = sql || ' ' \
      WHERE name = 'adopted_times';
      """,
      "the schema lists the table adopted_times with a misspelled name of the table adopted_times",
      false
    ),
    (
      "DROP TABLE places; CREATE TABLE places\n(id INTEGER PRIMARY KEY)",
      "the table places differs from the one that Roqua creates", true
    ),
    (
      """
      CREATE INDEX heavy ON repeat_visits (visits); DROP TABLE places; \
      PRAGMA writable_schema = ON; \
      UPDATE sqlite_schema SET tbl_name = 'Repeat_Visits' WHERE name = 'heavy';
      """,
      "the schema lists the index heavy with a misspelled name of the table repeat_visits", false
    ),
    (
      "CREATE INDEX heavy ON repeat_visits (hex(zeroblob(300)))",
      "the index heavy on repeat_visits is not Roqua's", true
    ),
    (
      "CREATE INDEX few ON sources (path) WHERE points > 3",
      "the index few on sources is not Roqua's", true
    ),
    ("DROP TABLE stated_visits", "the table stated_visits is missing", true),
    ("DROP TABLE settings", "the table settings is missing", false),
  ]

  @Test(arguments: forgeries.indices)
  func `an altered schema is reported by name, and repaired if possible`(index: Int)
    throws
  {
    let (sql, word, isRepaired) = Self.forgeries[index]
    try fill()
    try forge(sql)
    let error = #expect(throws: DatabaseError.self) { try Store(path: path, creating: false) }
    guard case .alteredSchema(_, let detail)? = error else {
      // A schema that SQLite itself cannot parse is valid too.
      #expect(error?.description.contains("malformed") == true, "\(error?.description ?? "")")
      return
    }
    #expect(detail == word)
    var options = StoreOptions()
    options.acceptsAlteredSchema = true
    let store = try Store(path: path, creating: false, options: options)
    let check = try store.check()
    #expect(
      !check.isSound && check.canBeRepaired == isRepaired, "\(check.steps.flatMap(\.differences))")
    guard isRepaired else { return }
    _ = try store.repair()
    let again = try store.check()
    #expect(again.isSound, "\(again.steps.flatMap(\.differences))")
    let plain = try Store(path: path, creating: false)
    #expect(try plain.read { snapshot in try snapshot.counts().keptFixes } == 200)
    try plain.add(
      [KeptFix(coordinate: Coordinate(60, 5), time: nil, accuracyMeters: nil, startsSegment: true)],
      as: "x")
    #expect(try plain.read { snapshot in try snapshot.sources().map(\.id) } == [1, 2])
  }

  @Test func `a store stays usable with tables, indexes and views that a user added`() throws {
    try fill()
    try forge(
      """
      CREATE TABLE notes (text); CREATE TABLE roqua_rows (c0, c1, c2); \
      INSERT INTO roqua_rows VALUES (7, 8, 9);
      CREATE INDEX mine ON repeat_visits (visits); CREATE VIEW v AS SELECT 1;
      CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM notes; END;
      """)
    let store = try Store(path: path, creating: false)
    var random = SplitMix64(seed: 4)
    let track = wanderingTrack(count: 300, homes: [Coordinate(47.37, 8.54)], using: &random)
    #expect(try store.add(track, as: "two").kept == 300)
    #expect(try store.read { snapshot in try snapshot.counts().keptFixes } == 500)
    #expect(try store.check().isSound)
  }

  @Test(arguments: ["\u{212A}ept_fixes", "zone\u{17F}"])
  func `a user's table is no table of the store if only its ASCII letters are the same`(
    name: String
  ) throws {
    try fill()
    try forge(
      """
      CREATE TABLE \(name) (text);
      CREATE TRIGGER t AFTER INSERT ON \(name) BEGIN DELETE FROM \(name); END;
      CREATE INDEX heavy ON \(name) (hex(text));
      """)
    let store = try Store(path: path, creating: false)
    let check = try store.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test func `after a repair, ids of forgotten sources are not reused`() throws {
    try fill()
    do {
      let store = try Store(path: path, creating: false)
      for name in ["two", "three"] {
        try store.add(
          [
            KeptFix(
              coordinate: Coordinate(60, 5), time: nil, accuracyMeters: nil, startsSegment: true)
          ],
          as: name)
      }
      _ = try store.forget(sources: ["2", "3"])
    }
    try forge("ALTER TABLE sources ADD COLUMN note TEXT")
    var options = StoreOptions()
    options.acceptsAlteredSchema = true
    let store = try Store(path: path, creating: false, options: options)
    _ = try store.repair()
    try store.add(
      [KeptFix(coordinate: Coordinate(60, 5), time: nil, accuracyMeters: nil, startsSegment: true)],
      as: "x")
    #expect(try store.read { snapshot in try snapshot.sources().map(\.id) } == [1, 4])
  }

  @Test func `the table and view definitions equal those that the migrations create`() throws {
    let new = try Connection.temporary(for: path, format: Schema.format)
    var texts: [String: String] = [:]
    var names: Set<String> = []
    let select = try Statement(
      "SELECT name, sql, type FROM sqlite_schema WHERE type IN ('table', 'view') "
        + "AND name NOT LIKE 'sqlite%'",
      on: new)
    while try select.step() {
      let name = select.text(at: 0) ?? ""
      names.insert(name)
      if select.text(at: 2) == "table" { texts[name] = select.text(at: 1) }
    }
    #expect(texts == Schema.format.texts.tables)
    #expect(names == Set(Schema.format.texts.tables.keys).union(Schema.format.texts.views.keys))
  }

  @Test func `every connection is hardened`() throws {
    try fill()
    let store = try Store(path: path, creating: false)
    func check(_ connection: Connection) throws {
      #expect(try connection.integer("PRAGMA trusted_schema") == 0)
      #expect(try connection.integer("PRAGMA cell_size_check") == 1)
      for option in [
        SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
        SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
      ] {
        var value: Int32 = -1
        #expect(roqua_sqlite_option(connection.handle, option, &value) == SQLITE_OK)
        #expect(value == (option == SQLITE_DBCONFIG_DEFENSIVE ? 1 : 0), "\(option)")
      }
      #expect(
        sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, -1) == Connection.longestValueBytes)
      #expect(sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, -1) == 1)
    }
    try store.withReader { (reader) throws(DatabaseError) in
      do { try check(reader) } catch { Issue.record(error) }
    }
    try store.withWriter { (writer) throws(DatabaseError) in
      do { try check(writer) } catch { Issue.record(error) }
    }
    try check(Connection.temporary(for: path, format: Schema.format))
  }

  @Test func `a statement that runs forever is stopped`() throws {
    try fill()
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    let error = #expect(throws: DatabaseError.self) {
      try connection.integer("\(Self.endless) SELECT count(*) FROM n")
    }
    guard case .damaged? = error else {
      Issue.record("\(error?.description ?? "no error")")
      return
    }
    // The next statement has its own limit.
    #expect(try connection.integer("SELECT count(*) FROM sources") == 1)
  }
}
