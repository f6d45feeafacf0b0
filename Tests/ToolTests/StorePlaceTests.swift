import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

/// Stores with several names, stores that are moved, names of one character, folders that are
/// created, and files that cannot be written.
@Suite struct StorePlaceTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: bench.folder.file(name))
  }

  /// Queries that every store answers.
  private static let questions = [
    ["stats"], ["sources"], ["settings"], ["places"], ["coverage"], ["check"],
    ["near", "48.57", "7.8", "--radius", "50km"], ["within", "-90", "-180", "90", "180"],
  ]

  private func answers(_ store: String, as user: [String] = []) throws -> [String] {
    try Self.questions.map { question in
      var process = bench.process(question + ["--json", "--store", store])
      process.wrapper = user
      let result = try process.run()
      #expect(result.status == 0 && result.err == "", "\(question): \(result.err)")
      return result.out
    }
  }

  @Test func `a store with two hard links can be read through both, and changed through neither`()
    throws
  {
    try bench.importSamples()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(-20, 11.5), count: 60_000, stepDegrees: 0.000_5),
      to: "track.gpx")
    let store = bench.storePath
    #expect(link(store, bench.folder.file("second")) == 0)
    let before = try answers(store)
    for name in [store, "second"] {
      #expect(try answers(name) == before)
      for change in [
        ["import", "track.gpx"], ["settings", "visitGapMinutes", "5"], ["forget", "1"], ["rebuild"],
      ] {
        let result = try bench.roqua(change + ["--store", name])
        #expect(result.status == 1, "\(change)")
        #expect(result.err.contains("2 names (hard links)"), "\(result.err)")
      }
    }
    #expect(try answers(store) == before)
    unlink(bench.folder.file("second"))
    #expect(try bench.roqua("import", "track.gpx").status == 0)
    #expect(try bench.json("check").sound == .bool(true))
  }

  @Test(arguments: ["rename", "delete", "replace"])
  func `an import fails if its store is moved away`(fate: String) throws {
    try bench.importSamples()
    let pipe = bench.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // The rest of the track is written after the store is gone.
    let text = Array(
      TrackText.gpx(from: Coordinate(-20, 11.5), count: 90_000, stepDegrees: 0.000_5).utf8)
    let running = try bench.process(["import", "pipe", "--json"]).start()
    let writer = try #require(FileHandle(forWritingAtPath: pipe))
    try writer.write(contentsOf: Data(text.prefix(text.count * 3 / 4)))
    let store = bench.storePath
    switch fate {
    case "rename": #expect(rename(store, store + ".old") == 0)
    case "delete": #expect(unlink(store) == 0)
    default:
      try bench.folder.write("another file", to: "home/new")
      #expect(rename(bench.folder.file("home/new"), store) == 0)
    }
    try writer.write(contentsOf: Data(text.dropFirst(text.count * 3 / 4)))
    try writer.close()
    #expect(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.status == 1)
    #expect(
      result.err.contains("was moved, replaced or deleted while it was open"), "\(result.err)")
    let report = try JSONTree(parsing: result.out)
    #expect(report.totals.imported.int == 0 && report.totals.kept.int == 0)
  }

  @Test(arguments: ["s", "~", "é", " ", "0"])
  func `every path can be a name of one character`(name: String) throws {
    func run(_ arguments: String...) throws {
      let result = try bench.roqua(arguments)
      #expect(result.status == 0 && !result.wasKilled, "\(arguments): \(result.err)")
    }
    func clear(_ name: String) {
      try? FileManager.default.removeItem(atPath: bench.folder.file(name))
    }
    let store = name == "s" ? "t" : "s"
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(-20, 11.5), count: 20, stepDegrees: 0.000_5), to: name)
    try run("import", name, "--store", store)
    clear(name)
    // Without --force, a name without an ending seems to be a folder.
    try run("backup", name, "--force", "--store", store)
    try run("stats", "--store", name)
    try run(
      "import", "--dry-run", PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx"), "--store", name
    )
    clear(name)
    try run("backup", "--app-format", name, "--store", store)
    try run("adopt", name, "--store", "v")
    clear(name)
    try run("coverage", "--export", name, "--store", store)
    try run("coverage", "--import", name, "--store", "u")
    clear(name)
    try bench.folder.write(#"[{"latitude": 1, "longitude": 2}]"#, to: name)
    try run("adopt", "--explored-circles", name, "--store", "v")
    clear(name)
    try bench.folder.write(#"["100_200"]"#, to: name)
    try run("adopt", "--grid-hashes", name, "--store", "v")
    clear(name)
    try bench.folder.write(
      #"{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}"#, to: name)
    try run("within", "--polygon", name, "--store", store)
    clear(name)
    try run("bench", "near", "--regions", "1k", "--questions", "1", "--keep", name)
  }

  @Test func `an app database can have a name of one character`() throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(bench.folder.file("a"), &database) == SQLITE_OK)
    let table =
      "CREATE TABLE visited_regions (latitude REAL, longitude REAL, "
      + "timestamp_start TEXT, visit_count)"
    try #require(
      sqlite3_exec(
        database, table + "; INSERT INTO visited_regions VALUES (1, 2, NULL, 1)", nil, nil, nil)
        == SQLITE_OK)
    sqlite3_close(database)
    let result = try bench.roqua("adopt", "a", "--store", "s")
    #expect(result.status == 0, "\(result.err)")
  }

  @Test func `a failed or read-only command creates no folder and no file`() throws {
    try bench.folder.write("no track", to: "bad.gpx")
    for arguments in [
      ["import", "bad.gpx"], ["import", "none.gpx"], ["stats"], ["near", "1", "2"], ["settings"],
      ["sources"],
      ["coverage", "--import", "bad.gpx"], ["adopt", "bad.gpx"],
      ["import", "--dry-run", "bad.gpx"],
      ["backup", "b"], ["backup", "--app-format", "b"], ["forget", "1"], ["rebuild"], ["check"],
    ] {
      _ = try bench.roqua(arguments + ["--store", "a/s"])
      #expect(!exists("a") && !exists("b"), "\(arguments)")
    }
    // Cells of another grid than the default one.
    _ = try bench.json(
      "import", PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx"), "--store", "s")
    _ = try bench.json("settings", "explorationRadiusMeters", "200", "--store", "s")
    _ = try bench.json("coverage", "--export", "cells", "--store", "s")
    #expect(try bench.roqua("coverage", "--import", "cells", "--store", "a/s").status == 1)
    #expect(!exists("a"))
  }

  @Test(arguments: [false, true])
  func `a store whose folder is missing is made, but not in a folder that is missing, too`(
    isVariable: Bool
  ) throws {
    let track = PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx")
    func run(_ arguments: String..., store: String) throws -> RoquaResult {
      if isVariable { return try bench.roqua(arguments, environment: ["ROQUA_STORE": store]) }
      return try bench.roqua(arguments + ["--store", store])
    }
    for arguments in [["import", track], ["settings", "visitGapMinutes", "5"], ["adopt", track]] {
      let refused = try bench.roqua(arguments + ["--store", "hmoe/me/s"])
      #expect(refused.status == 1 && !exists("hmoe"), "\(arguments)")
    }
    let refused = try run("import", track, store: "hmoe/me/s")
    #expect(refused.status == 1 && refused.out == "" && !exists("hmoe"))
    #expect(
      refused.err
        == "roqua: hmoe/me/s: the folder hmoe does not exist; if the path is right, make its "
        + "folder first: mkdir -p 'hmoe/me'\n")
    // What only asks has the same answer as for any other store that is missing.
    for question in ["stats", "settings", "check"] {
      let (near, far) = (try run(question, store: "a/s"), try run(question, store: "a/b/s"))
      #expect(near.status == far.status && near.out == far.out, "\(question)")
      #expect(near.err.replacing("a/s", with: "a/b/s") == far.err, "\(question)")
    }
    #expect(try run("import", "--dry-run", track, store: "a/b/s").status == 0 && !exists("a"))
    #expect(try run("import", track, store: "a/s").status == 0 && exists("a/s"))
  }

  @Test func `a store is not a track, and importing its folder skips it`() throws {
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 20), to: "all/track.gpx")
    _ = try bench.json("import", "all/track.gpx", "--store", "all/s.sqlite")
    try bench.folder.write(TrackText.gpx(from: Coordinate(49, 8), count: 20), to: "all/second.gpx")
    let report = try bench.json("import", "all", "--store", "all/s.sqlite")
    #expect(report.totals.imported.int == 1 && report.totals.duplicates.int == 1)
    let named = try bench.roqua("import", "all/s.sqlite", "--store", "all/s.sqlite")
    #expect(named.status == 1 && named.err.contains("It is the store itself."), "\(named.err)")
    #expect(try bench.json("check", "--store", "all/s.sqlite").sound == .bool(true))
  }

  @Test func `a new folder is accessible only to its owner, whatever the umask`() throws {
    var process = bench.process([
      "import", PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx"), "--store", "a/s",
    ])
    process.wrapper = ["/bin/sh", "-c", "umask 0; exec \"$0\" \"$@\""]
    #expect(try process.run().status == 0)
    for (name, mode) in [("a", 0o700), ("a/s", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.folder.file(name))
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
  }

  /// Runs the tool as a user to whom file permissions apply, because root ignores them.
  private static let user =
    getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

  @Test(arguments: [false, true], [false, true])
  func `a store that cannot be written can be read but not changed`(
    isFileReadOnly: Bool, isFolderReadOnly: Bool
  ) throws {
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(-20, 11.5), count: 200, stepDegrees: 0.000_5), to: "track.gpx")
    _ = try bench.json(
      "import", PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx"), "--store", "media/s")
    let expected = try answers("media/s")
    // The reader is another user, who has permission to read the files and search the folders.
    for name in ["", "media", "media/s", "track.gpx"] {
      chmod(bench.folder.file(name), name == "media/s" || name == "track.gpx" ? 0o666 : 0o777)
    }
    if isFileReadOnly { chmod(bench.folder.file("media/s"), 0o444) }
    if isFolderReadOnly { chmod(bench.folder.file("media"), 0o555) }
    defer { chmod(bench.folder.file("media"), 0o777) }
    #expect(try answers("media/s", as: Self.user) == expected)
    if isFileReadOnly || isFolderReadOnly {
      for change in [
        ["import", "track.gpx"], ["forget", "1"], ["rebuild"],
        ["settings", "visitGapMinutes", "5"],
      ] {
        var process = bench.process(change + ["--store", "media/s"])
        process.wrapper = Self.user
        let result = try process.run()
        #expect(
          result.status == 1 && result.err.contains("the store cannot be changed"),
          "\(result.err)")
        #expect(
          result.err.contains(
            isFileReadOnly ? "the file cannot be written" : "its folder cannot be written"))
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("media")) == ["s"])
    }
  }

  /// Rows in the log of a killed process are read, although they cannot be moved into the store.
  @Test func `a store with a log in a read-only folder can be read`() throws {
    _ = try bench.json(
      "import", PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx"), "--store", "media/s")
    let expected = try answers("media/s")
    // The latest rows are only in the log, as after a kill.
    let script = """
      import os, sqlite3
      c = sqlite3.connect('media/s', isolation_level=None)
      c.execute('PRAGMA wal_autocheckpoint = 0')
      c.execute("INSERT INTO settings (key, value) VALUES ('visitGapMinutes', 31)")
      c.execute("DELETE FROM settings")
      os.kill(os.getpid(), 9)
      """
    var process = bench.process(["-c", script])
    process.wrapper = ["/usr/bin/env", "python3"]
    process.isToolLeftOut = true
    _ = try process.run()
    unlink(bench.folder.file("media/s-shm"))
    #expect(exists("media/s-wal"))
    for name in ["", "media", "media/s", "media/s-wal"] {
      chmod(
        bench.folder.file(name), name.hasPrefix("media/s") ? 0o444 : name == "media" ? 0o555 : 0o777
      )
    }
    defer { chmod(bench.folder.file("media"), 0o777) }
    #expect(try answers("media/s", as: Self.user) == expected)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("media")).sorted() == [
        "s", "s-wal",
      ])
  }
}
