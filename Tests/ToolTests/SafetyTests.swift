import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua check` and `roqua backup`.
@Suite struct SafetyTests {
  private func run(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  @Test func `a sound store is reported as sound, with one line for each check`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let check = try bench.json("check")
    #expect(check.sound == .bool(true) && check.quick == .bool(false))
    let names = check.steps.elements.compactMap(\.name.string)
    #expect(
      names == [
        "database", "references", "schema", "erasure", "zones", "sources", "achievements",
        "tiles", "regions", "visits", "places", "coverage",
      ])
    #expect(check.steps.elements.allSatisfy { $0.skipped == .bool(false) })
    let words = try bench.roqua("check")
    #expect(words.status == 0 && words.err == "")
    let lines = words.out.split(separator: "\n")
    #expect(lines.count == names.count + 1 && lines.last == "The store is sound.")
    #expect(zip(lines, names).allSatisfy { $0.hasPrefix($1 + "  ") })
    #expect(try bench.json("check", "--quick").steps.elements.count == 4)
  }

  @Test func `differences are listed, with exit status 1`() throws {
    let bench = try Bench()
    try bench.importSamples()
    try run(
      """
      UPDATE regions SET visit_count = 9 WHERE id = (SELECT min(id) FROM regions);
      INSERT INTO repeat_visits SELECT max(id), 0, '0:1,5400:2' FROM regions
      """,
      on: bench.storePath)
    let words = try bench.roqua("check")
    #expect(words.status == 1)
    #expect(words.out.contains("): visit_count is 9, should be "))
    #expect(words.out.contains("Z, should be no visit"))
    #expect(
      words.errorLines == [
        "roqua: \(bench.storePath): 2 differences; roqua check --repair repairs them"
      ])
    let check = try bench.json("check", status: 1)
    #expect(check.sound == .bool(false))
    #expect(
      check.steps.elements.compactMap(\.differenceCount.int) == [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0,
      ])
    #expect(try bench.roqua("rebuild").status == 0)
    #expect(try bench.json("check").sound == .bool(true))
    try run("UPDATE places SET city = 'Atlantis' WHERE id = 1", on: bench.storePath)
    #expect(try bench.roqua("check").out.contains("): city is Atlantis, should be "))
    #expect(try bench.roqua("rebuild").status == 0)
    try run(
      "UPDATE sources SET sha256 = replace(sha256, '1', '2') WHERE id = 2", on: bench.storePath)
    let altered = try bench.roqua("check")
    #expect(altered.status == 1 && altered.out.contains("source 2 has sha256 "))
    #expect(altered.err.contains("restore a backup, or forget the damaged sources (roqua forget)"))
    #expect(try bench.roqua("forget", "2").status == 0)
    #expect(try bench.json("check").sound == .bool(true))
    try run("UPDATE kept_fixes SET payload = x'00' WHERE id = 1", on: bench.storePath)
    let broken = try bench.roqua("check")
    #expect(broken.status == 1 && broken.err.contains("restore a backup"))
  }

  @Test func `a backup equals the store, and overwrites a file only when asked to`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let result = try bench.json("backup", "copy.sqlite")
    #expect(result.path.string == "copy.sqlite")
    let path = bench.folder.file("copy.sqlite")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == result.bytes.int)
    #expect(try bench.json("stats", "--store", "copy.sqlite") == bench.json("stats"))
    #expect(try bench.json("check", "--store", "copy.sqlite").sound == .bool(true))
    _ = try bench.roqua("forget", "1")
    let before = try bytes(of: path)
    let refused = try bench.roqua("backup", "copy.sqlite")
    #expect(refused.status == 1 && refused.out == "" && refused.errorLines.count == 1)
    #expect(refused.err.hasPrefix("roqua: copy.sqlite: ") && refused.err.contains("--force"))
    #expect(try bytes(of: path) == before)
    let words = try bench.roqua("backup", "copy.sqlite", "--force")
    #expect(words.status == 0 && words.err == "" && words.out.hasPrefix("copy.sqlite: "))
    #expect(try bench.json("sources", "--store", "copy.sqlite") == bench.json("sources"))
    #expect(try bench.roqua("backup", bench.storePath, "--force").status == 1)
    #expect(try bench.json("check").sound == .bool(true))
  }

  @Test func `backups during another process's import contain only complete sources`() throws {
    let bench = try Bench()
    for index in 0..<40 {
      let start = Coordinate(40 + Double(index) / 5, 8)
      try bench.folder.write(
        TrackText.gpx(from: start, count: 1_500), to: "tracks/\(index + 10).gpx")
    }
    _ = try bench.json("settings", "visitGapMinutes", "20")  // creates the store
    let running = try bench.process(["import", "tracks"]).start()
    var (round, partial, ended) = (0, 0, false)
    while !ended {
      ended = running.wait(seconds: 0.01)
      let file = "backup-\(round).sqlite"
      #expect(try bench.roqua("backup", file).status == 0)
      let sources = try bench.json("sources", "--store", file).sources.elements
      #expect(sources.allSatisfy { $0.kept.int == 1_500 })
      #expect(try bench.json("check", "--store", file).sound == .bool(true))
      if (1..<40).contains(sources.count) { partial += 1 }
      round += 1
    }
    let result = try running.result()
    #expect(result.status == 0, "\(result.err)")
    #expect(partial >= 1, "no backup was made during the import")
    #expect(try bench.json("stats", "--store", "backup-\(round - 1).sqlite") == bench.json("stats"))
  }
}
