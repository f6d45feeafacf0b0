import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing
import SQLiteLayer

/// Ctrl-C during backup, adopt, forget and rebuild: no partial file remains, and one line describes
/// the state.
@Suite struct InterruptedChangeTests {
  /// Another program's connection to a database.
  private final class Other {
    private var database: OpaquePointer?

    init(_ path: String) throws {
      try #require(
        sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
          == SQLITE_OK)
      sqlite3_busy_timeout(database, 10_000)
    }

    deinit { sqlite3_close(database) }

    func run(_ sql: String) throws {
      try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
    }

    /// The first value of a query.
    func value(_ sql: String) -> String? {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
        sqlite3_step(statement) == SQLITE_ROW
      else { return nil }
      return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }
  }

  private struct TooSlow: Error {}

  private func wait(until isDone: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !isDone() {
      guard ContinuousClock.now < end else { throw TooSlow() }
      usleep(500)
    }
  }

  private func end(_ running: RunningRoqua, by number: Int32) throws -> String {
    running.send(number)
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.wasKilled && result.status == number && result.out == "")
    return result.err
  }

  /// Waits until a process that cannot get the write lock is certain to be waiting for it.
  private func waitForLock(_ running: RunningRoqua) { _ = running.wait(seconds: 2) }

  private func names(_ bench: Bench, _ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.folder.file(folder)).sorted()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupted backup leaves no file`(number: Int32) throws {
    let bench = try Bench()
    try bench.importSamples()
    // About 400 MB take a while to copy.
    try Other(bench.storePath).run(
      """
      PRAGMA synchronous = OFF; CREATE TABLE ballast (x);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO ballast SELECT zeroblob(1000000) FROM n
      """)
    for (arguments, left) in [(["b.sqlite"], []), (["b.sqlite", "--force"], ["b.sqlite"])] {
      if !left.isEmpty { try bench.folder.write("mine", to: "b.sqlite") }
      let running = try bench.process(["backup"] + arguments).start()
      try wait { try names(bench).contains { $0.hasPrefix("b.sqlite.") } }
      let line = try end(running, by: number)
      #expect(line == "roqua: interrupted: no backup was written; the store is unchanged\n")
      #expect(try names(bench).filter { $0.hasPrefix("b.sqlite") } == left)
    }
    #expect(try bench.json("check", "--quick").sound == .bool(true))
  }

  @Test func `an interrupted folder of tiles is incomplete until the next run`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let map = ["map", "tiles", "--format", "png", "--zoom", "0-16"]
    let running = try bench.process(map).start()
    try wait { try names(bench).contains("tiles") && names(bench, "tiles").contains("0") }
    #expect(
      try end(running, by: SIGINT)
        == "roqua: interrupted: the folder is incomplete; run the same command again to complete "
        + "it\n")
    #expect(try bench.roqua(map).status == 0)
    #expect(try bench.roqua(map).out.contains(": 0 tiles renewed"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupted export for the app leaves no file`(number: Int32) throws {
    let bench = try Bench()
    try bench.importSamples()
    // Half a million regions take a while to write.
    try Other(bench.storePath).run(
      """
      PRAGMA synchronous = OFF;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
      INSERT INTO regions SELECT i, i, i, NULL, NULL, 150, i * 1000, i * 1000, 1, 1, 1 FROM n
      """)
    for (arguments, left) in [(["b.sqlite"], []), (["b.sqlite", "--force"], ["b.sqlite"])] {
      if !left.isEmpty { try bench.folder.write("mine", to: "b.sqlite") }
      let running = try bench.process(["backup", "--app-format"] + arguments).start()
      try wait { try names(bench).contains { $0.hasPrefix("b.sqlite.") } }
      let line = try end(running, by: number)
      #expect(line == "roqua: interrupted: no file was written; the store is unchanged\n")
      #expect(try names(bench).filter { $0.hasPrefix("b.sqlite") } == left)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupted adoption leaves no copy of the app's rows`(number: Int32) throws {
    let bench = try Bench()
    try bench.importSamples()
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("temporary"), withIntermediateDirectories: true)
    let app = try Other(bench.folder.file("app.sqlite"))
    try app.run(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE visited_regions (id INTEGER PRIMARY KEY, latitude REAL, \
      longitude REAL, radius INTEGER,
        timestamp_start TEXT, timestamp_end TEXT, visit_count INTEGER);
      INSERT INTO visited_regions VALUES (1, 48.1, 11.5, 200, '2024-05-01T10:00:00Z', NULL, 3);
      """)
    let other = try Other(bench.storePath)
    try other.run("BEGIN IMMEDIATE")
    let environment = ["TMPDIR": bench.folder.file("temporary")]
    let running = try bench.process(["adopt", "app.sqlite"], environment: environment).start()
    // The check before it also makes a copy, and removes it.
    waitForLock(running)
    try wait { try !names(bench, "temporary").isEmpty }
    let line = try end(running, by: number)
    #expect(
      line == "roqua: interrupted: nothing was adopted; run the same command again to restart\n")
    #expect(try names(bench, "temporary").isEmpty)
    try other.run("ROLLBACK")
    #expect(try bench.json("sources").sources.elements.count == 2)
    let again = try bench.roqua("adopt", "app.sqlite", environment: environment)
    #expect(again.status == 0 && again.out.contains("1 of 1 row adopted"), "\(again.err)")
    #expect(try names(bench, "temporary").isEmpty)
    withExtendedLifetime(app) {}
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [false, true])
  func `an import waiting for a lock stops at the first signal`(number: Int32, isJSON: Bool) throws
  {
    let bench = try Bench()
    try bench.importSamples()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48.5, 7.9), count: 5), to: "a.gpx")
    let other = try Other(bench.storePath)
    try other.run("BEGIN IMMEDIATE")
    let running = try bench.process(["import", "a.gpx"] + (isJSON ? ["--json"] : [])).start()
    waitForLock(running)
    running.send(number)
    // After three seconds, the signal would end it in any case.
    try #require(running.wait(seconds: 2))
    let result = try running.result()
    #expect(result.wasKilled && result.status == number)
    #expect(
      result.err
        == "roqua: interrupted: 0 files imported; run the same command again to import the rest\n")
    if isJSON {
      #expect(try JSONTree(parsing: result.out).totals.imported.int == 0)
    } else {
      #expect(result.out == "")
    }
    try other.run("ROLLBACK")
    #expect(try bench.json("import", "a.gpx").totals.imported.int == 1)
  }

  @Test(arguments: [["forget", "1"], ["rebuild"], ["settings", "visitGapMinutes", "60"]])
  func `a change interrupted before it is stored changes nothing`(arguments: [String]) throws {
    let bench = try Bench()
    try bench.importSamples()
    let before = try bench.json("stats")
    let other = try Other(bench.storePath)
    try other.run("BEGIN IMMEDIATE")
    let running = try bench.process(arguments).start()
    waitForLock(running)
    #expect(try end(running, by: SIGINT) == "roqua: interrupted: nothing was changed\n")
    try other.run("ROLLBACK")
    #expect(try bench.json("stats") == before)
    #expect(try bench.json("check").sound == .bool(true))
    #expect(try bench.roqua(arguments).status == 0)
  }

  @Test(arguments: [["forget", "1"], ["rebuild", "--visit-gap", "60"]], [SIGINT, SIGKILL])
  func
    `a change interrupted while it erases the file is kept, and the next command erases the rest`(
      arguments: [String], number: Int32
    ) throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let other = try Other(bench.storePath)
    // A reader of the old state prevents the log from being truncated; the tool waits for it.
    try other.run("BEGIN")
    _ = other.value("SELECT count(*) FROM sources")
    let running = try bench.process(arguments).start()
    let second = try Other(bench.storePath)
    try wait { second.value("SELECT count(*) FROM erasure") == "1" }
    let line = try end(running, by: number)
    let done = arguments[0] == "forget" ? "the data was deleted" : "the store was rebuilt"
    #expect(
      line
        == (number == SIGKILL
          ? ""
          : "roqua: interrupted: \(done), but the store's file still holds the old data; roqua "
            + "rebuild or the next command that changes the store erases it\n"))
    let check = try bench.roqua("check")
    #expect(check.status == 1 && check.out.contains("data deleted at "))
    #expect(
      check.err.hasSuffix(": 1 difference; roqua check --repair repairs it\n"), "\(check.err)")
    try other.run("COMMIT")
    if arguments[0] == "forget" { #expect(try bench.json("sources").sources.elements.count == 1) }
    _ = try bench.json("settings", "percentageDecimals", "3")
    #expect(second.value("SELECT count(*) FROM erasure") == "0")
    #expect(try bench.json("check").sound == .bool(true))
  }

  @Test func `a backup over a database that another process has open is refused`() throws {
    let bench = try Bench()
    try bench.importSamples()
    #expect(try bench.roqua("backup", "b.sqlite").status == 0)
    // This process has it open; its log is empty and it is idle.
    let other = try Other(bench.folder.file("b.sqlite"))
    try other.run(
      "PRAGMA journal_mode = WAL; CREATE TABLE mine (x); PRAGMA wal_checkpoint(TRUNCATE)")
    let refused = try bench.roqua("backup", "b.sqlite", "--force")
    #expect(refused.status == 1)
    #expect(refused.err.contains("another program has the existing database open"))
    try other.run("INSERT INTO mine VALUES (1)")
    #expect(other.value("PRAGMA integrity_check") == "ok")
    #expect(try names(bench).filter { $0.hasPrefix("b.sqlite.") }.isEmpty)
  }
}
