import CSQLite
import Foundation
import TestSupport
import Testing

/// Stores and databases that an attacker made.
@Suite struct ForeignStoreTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  private func run(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  private static let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  @Test func `a store with a foreign trigger is refused until the trigger is removed`() throws {
    try bench.importSamples()
    try run(
      "CREATE TRIGGER thief BEFORE INSERT ON kept_fixes BEGIN SELECT RAISE(IGNORE); END",
      on: bench.storePath)
    let track = PackageFolder.sample("2023-06-10-istanbul-walk.gpx")
    for arguments in [
      ["import", track], ["stats"], ["near", "1", "2"], ["backup", "b.sqlite"],
      ["backup", "--app-format", "b"], ["settings"],
    ] {
      let result = try bench.roqua(arguments)
      #expect(result.status == 1 && result.out == "", "\(arguments)")
      #expect(
        result.err.contains("the trigger thief on kept_fixes is not Roqua's"), "\(result.err)")
      #expect(result.err.contains("roqua check --repair"))
    }
    let check = try bench.roqua("check")
    #expect(check.status == 1 && check.out.contains("the trigger thief is not Roqua's"))
    #expect(try bench.roqua("check", "--repair").status == 0)
    #expect(try bench.json("check").sound == .bool(true))
    let kept = try #require(try bench.json("import", track).totals.kept.int)
    #expect(kept > 0)
    #expect(try bench.json("sources").sources.elements.last?.kept.int == kept)
  }

  @Test func `an endless view in place of a table blocks no command`() throws {
    try bench.importSamples()
    try run(
      "DROP TABLE repeat_visits; CREATE VIEW repeat_visits AS \(Self.endless) "
        + "SELECT i AS region_id, 0 AS block, '0:1' AS visits FROM n",
      on: bench.storePath)
    for arguments in [["stats"], ["places"], ["check"], ["sources"], ["coverage"]] {
      var process = bench.process(arguments)
      process.timeoutSeconds = 20
      let result = try process.run()
      #expect(
        result.status == 1 && (result.out + result.err).contains("visits"),
        "\(arguments): \(result.err)")
    }
    #expect(try bench.roqua("check", "--repair").status == 0)
    #expect(try bench.json("check").sound == .bool(true))
  }

  @Test func `an app database whose table is an endless view is refused immediately`() throws {
    try run(
      """
      CREATE VIEW visited_regions AS \(Self.endless)
        SELECT 1 AS latitude, 2 AS longitude, 'x' AS timestamp_start, i AS visit_count FROM n
      """, on: bench.folder.file("app.sqlite"))
    var process = bench.process(["adopt", "app.sqlite"])
    process.timeoutSeconds = 20
    let result = try process.run()
    #expect(result.status == 1 && result.err.contains("is a view, not a table"), "\(result.err)")
    #expect(!bench.hasStore)
  }

  @Test func `a user's own table of any name does not prevent imports`() throws {
    try bench.importSamples()
    try run("CREATE TABLE roqua_rows (c0, c1, c2)", on: bench.storePath)
    let kept = try #require(
      try bench.json("import", PackageFolder.sample("2023-06-10-istanbul-walk.gpx")).totals.kept.int
    )
    #expect(try bench.json("sources").sources.elements.last?.kept.int == kept)
    #expect(try bench.json("check").sound == .bool(true))
  }
}
