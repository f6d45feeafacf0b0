import GeoStore
import Roqua
import RoquaSQL
import TestSupport
import Testing

/// What a person's SQL may do on a store.
@Suite struct SQLSessionTests {
  private let fixture: SQLFixture

  init() throws { fixture = try SQLFixture() }

  @Test(arguments: [
    "INSERT INTO settings (key, value) VALUES ('units', 1)", "UPDATE regions SET radius = 1",
    "DELETE FROM sources", "UPDATE sqlite_master SET sql = ''",
    "UPDATE sqlite_schema SET name = name",
    "REPLACE INTO settings (key, value) VALUES ('units', 1)",
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)", "CREATE VIEW v AS SELECT 1", "CREATE TEMP VIEW v AS SELECT 1",
    "CREATE INDEX i ON regions (radius)",
    "CREATE TRIGGER t AFTER INSERT ON regions BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE t USING fts5(a)", "DROP TABLE regions", "DROP VIEW days",
    "ALTER TABLE regions RENAME TO r", "ATTACH ':memory:' AS other", "DETACH main",
    "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "VACUUM", "VACUUM INTO 'copy.sqlite'", "REINDEX",
    "ANALYZE", "PRAGMA query_only = 0", "PRAGMA query_only", "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 7", "PRAGMA writable_schema = 1", "PRAGMA trusted_schema = 1",
    "PRAGMA wal_checkpoint", "PRAGMA optimize", "SELECT load_extension('x')",
    "WITH t AS (SELECT 1) DELETE FROM sources", "EXPLAIN DELETE FROM sources",
    "SELECT * FROM pragma_journal_mode",
  ])
  func `what would change anything is refused, and nothing changes`(sql: String) throws {
    let before = try fixture.rows("SELECT * FROM visited_regions; SELECT * FROM sources")
    let message = try fixture.failure(sql)
    #expect(message != nil)
    let failures = [
      "SQL can only read the store: ", "no such table", "may not be modified", "cannot VACUUM",
    ]
    #expect(failures.contains { message?.contains($0) == true }, "\(message ?? "no error")")
    #expect(try fixture.rows("SELECT * FROM visited_regions; SELECT * FROM sources") == before)
    // The library still writes.
    try fixture.explorer.set(.units, to: 1)
  }

  @Test(arguments: [
    ("INSERT INTO settings (key, value) VALUES ('units', 1)", "INSERT"),
    ("REPLACE INTO settings (key, value) VALUES ('units', 1)", "REPLACE"),
    ("insert or replace into settings VALUES ('units', 1)", "INSERT"),
    ("UPDATE regions SET radius = 1", "UPDATE"), ("DELETE FROM sources", "DELETE"),
    ("CREATE TABLE t (a)", "CREATE TABLE"), ("CREATE TABLE t AS SELECT 1", "CREATE TABLE"),
    ("CREATE TEMP TABLE t (a)", "CREATE TABLE"),
    ("create temporary view v AS SELECT 1", "CREATE VIEW"),
    ("CREATE UNIQUE INDEX i ON regions (radius)", "CREATE INDEX"),
    ("CREATE TRIGGER t AFTER INSERT ON regions BEGIN SELECT 1; END", "CREATE TRIGGER"),
    ("CREATE VIRTUAL TABLE t USING fts5(a)", "CREATE VIRTUAL TABLE"),
    ("DROP TABLE regions", "DROP TABLE"), ("DROP VIEW days", "DROP VIEW"),
    ("ALTER TABLE regions RENAME TO r", "ALTER TABLE"),
    ("ALTER TABLE regions ADD COLUMN a", "ALTER TABLE"),
    ("ATTACH ':memory:' AS other", "ATTACH"), ("DETACH main", "DETACH"), ("BEGIN", "BEGIN"),
    ("BEGIN IMMEDIATE", "BEGIN"), ("COMMIT", "COMMIT"), ("END", "END"), ("ROLLBACK", "ROLLBACK"),
    ("SAVEPOINT s", "SAVEPOINT"), ("RELEASE s", "RELEASE"), ("VACUUM", "VACUUM"),
    ("VACUUM INTO 'copy.sqlite'", "VACUUM INTO"), ("VACUUM main INTO 'copy'", "VACUUM INTO"),
    ("REINDEX", "REINDEX"), ("ANALYZE", "ANALYZE"),
    ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode"),
    ("PRAGMA main.user_version(7)", "PRAGMA user_version"),
    ("SELECT * FROM pragma_journal_mode", "pragma_journal_mode"),
    ("SELECT load_extension('x')", "load_extension"),
    ("WITH t AS (SELECT 1) DELETE FROM sources", "DELETE"),
    ("EXPLAIN DROP TABLE regions", "DROP TABLE"),
    ("EXPLAIN QUERY PLAN REPLACE INTO settings (key, value) VALUES ('units', 1)", "REPLACE"),
    ("-- a; b\n/* DROP */ ;CREATE/**/TABLE t (a)", "CREATE TABLE"),
    ("SELECT 1; CREATE TABLE t (a); SELEKT", "CREATE TABLE"),
  ])
  func `a refusal names what the person wrote`(sql: String, name: String) throws {
    #expect(
      try fixture.failure(sql) == "SQL can only read the store: \(name) is not allowed.", "\(sql)")
  }

  @Test(arguments: [
    "SELECT * FROM visited_regions", "SELECT * FROM visits", "SELECT * FROM source_summary",
    "SELECT * FROM visit_list", "SELECT * FROM regions_by_country",
    "SELECT * FROM regions_by_city", "SELECT * FROM days", "PRAGMA table_info(regions)",
    "SELECT * FROM pragma_table_xinfo('regions')", "PRAGMA function_list", "PRAGMA user_version",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT * FROM t",
    "EXPLAIN SELECT 1", "VALUES (1), (2)", "SELECT * FROM json_each('[1, 2]')",
  ])
  func `what reads is answered`(sql: String) throws {
    #expect(!(try fixture.rows(sql)).isEmpty)
  }

  @Test func `several statements run one after the other, up to the one that fails`() throws {
    #expect(
      try fixture.rows("SELECT 1; ; -- a comment\nSELECT 2, 'ü';\n/* end */ ")
        == [[.integer(1)], [.integer(2), .text("ü")]])
    #expect(try fixture.failure("SELECT 1; SELEKT 2") == "SQL: near \"SELEKT\": syntax error")
    for empty in ["", " \n", ";", "-- nothing"] {
      #expect(try fixture.failure(empty) == "There is no SQL statement.")
    }
  }

  @Test func `parameters have values, and each value a parameter`() throws {
    #expect(
      try fixture.rows(
        "SELECT :a, @b, $c, :a; SELECT ?1",
        ["a": .integer(1), "b": .text("x"), "c": .null, "1": .real(0.5)])
        == [[.integer(1), .text("x"), .null, .integer(1)], [.real(0.5)]])
    #expect(try fixture.failure("SELECT :a") == "The parameter :a has no value.")
    #expect(
      try fixture.failure("SELECT 1", ["a": .integer(1)])
        == "No statement has a parameter :a.")
  }

  @Test func `typed values are numbers if they are written as numbers`() {
    let values: [(String, SQLValue)] = [
      ("1", .integer(1)), ("-7", .integer(-7)), ("1.5", .real(1.5)), ("1e3", .real(1_000)),
      ("", .text("")), ("0x10", .text("0x10")), ("nan", .text("nan")), ("inf", .text("inf")),
      ("1e999", .text("1e999")), (" 1", .text(" 1")), ("2024-05-01", .text("2024-05-01")),
      ("9223372036854775808", .real(9_223_372_036_854_775_808)),
    ]
    for (text, value) in values { #expect(SQLValue(typed: text) == value, "\(text)") }
  }

  @Test func `values keep their types and all of their characters`() throws {
    #expect(
      try fixture.rows(
        "SELECT NULL, 9223372036854775807, -0.5, 'a' || char(0) || 'b', x'00FF', x'', ''")
        == [
          [
            .null, .integer(.max), .real(-0.5), .text("a\0b"), .blob([0, 255]), .blob([]),
            .text(""),
          ]
        ])
  }

  @Test func `a long statement is not stopped, unless it is canceled`() throws {
    let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) "
    // More steps than a file of this size allows for the statements of Roqua.
    let sql = endless + "SELECT count(*) FROM (SELECT n FROM t LIMIT 12000000)"
    #expect(try fixture.value(sql) == .integer(12_000_000))
    let cancellation = Cancellation()
    cancellation.cancel()
    let message = try Cancellation.$current.withValue(cancellation) {
      try fixture.failure(endless + "SELECT count(*) FROM t")
    }
    #expect(message?.contains("canceled") == true, "\(message ?? "no error")")
    #expect(try fixture.value("SELECT 1") == .integer(1))
  }

  @Test func `a canceled query stops within a hundred rows`() throws {
    let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t"
    let cancellation = Cancellation()
    var rows = 0
    #expect(throws: SQLFailure.self) {
      try Cancellation.$current.withValue(cancellation) {
        try SQLSession.run(on: fixture.explorer.store) { (session) throws(SQLFailure) in
          try session.run(
            endless, begin: { _ in },
            row: { _ in
              rows += 1
              cancellation.cancel()
            })
        }
      }
    }
    // A row takes several of the 200 steps between two checks.
    #expect((1...100).contains(rows), "\(rows)")
  }
}
