import Foundation
import Geodesy
import TestSupport
import Testing

/// Files that the tool writes, and files that it must not overwrite.
@Suite struct OutputSafetyTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.importSamples()
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path))
  }

  /// Commands that write a file, without its name.
  private static let writers = [["coverage", "--export"], ["backup"], ["backup", "--app-format"]]

  private func refused(
    _ arguments: [String], _ word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try bench.roqua(arguments)
    #expect(result.status == 1 && result.out == "", "\(arguments)", sourceLocation: sourceLocation)
    #expect(
      result.errorLines.count == 1 && result.err.contains(word), "\(result.err)",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: writers)
  func `no command overwrites the store that it reads, under any of its names`(command: [String])
    throws
  {
    let store = bench.storePath
    #expect(symlink(store, bench.folder.file("soft")) == 0)
    #expect(symlink("soft", bench.folder.file("softer")) == 0)
    let before = try bytes(of: store)
    for path in [store, "home/store.sqlite", "soft", "softer", "./home/../home/store.sqlite"] {
      for force in [[], ["--force"]] {
        try refused(command + [path] + force, "the store itself")
      }
    }
    // SQLite's own files next to it, whether or not they exist.
    for suffix in ["-wal", "-shm", "-journal"] {
      try refused(command + [store + suffix, "--force"], "SQLite uses this name")
    }
    #expect(link(store, bench.folder.file("hard")) == 0)
    try refused(command + ["hard", "--force"], "the store itself")
    unlink(bench.folder.file("hard"))
    #expect(try bytes(of: store) == before)
    #expect(try bench.json("check").sound == .bool(true))
    #expect(try names() == ["home", "soft", "softer"])
  }

  @Test(arguments: writers)
  func `an existing file is overwritten only with --force`(command: [String]) throws {
    let track = try bench.folder.write(
      TrackText.gpx(from: Coordinate(-20, 11.5), count: 20, stepDegrees: 0.000_5), to: "track.gpx")
    _ = try bench.json("import", "track.gpx", "--store", "other.sqlite")
    for path in ["track.gpx", "other.sqlite"] {
      let before = try bytes(of: bench.folder.file(path))
      try refused(command + [path], "a file with this name already exists (--force replaces it)")
      #expect(try bytes(of: bench.folder.file(path)) == before)
    }
    #expect(try bench.roqua(command + ["track.gpx", "--force"]).status == 0)
    #expect(try bytes(of: track).prefix(4) != Data("<?xm".utf8))
    #expect(try names() == ["home", "track.gpx", "other.sqlite"])
  }

  @Test func `output is never appended to the store`() throws {
    let before = try bytes(of: bench.storePath)
    for arguments in [
      ["stats"], ["coverage", "--export", "-"], ["coverage", "--export", "/dev/stdout", "--force"],
      ["sources", "--json"],
    ] {
      var process = bench.process(arguments)
      process.wrapper = ["/bin/sh", "-c", "exec \"$0\" \"$@\" >> home/store.sqlite"]
      let result = try process.run()
      #expect(
        result.status == 1 && result.err.contains("standard output is the store's file"),
        "\(result.err)")
    }
    #expect(try bytes(of: bench.storePath) == before)
  }

  @Test func `cells can be written to standard output under any of its names`() throws {
    let expected = try bench.roqua("coverage", "--export", "-").standardOutput
    #expect(expected.prefix(4) == Data("RQCV".utf8))
    #expect(
      try bench.roqua("coverage", "--export", "/dev/stdout").standardOutput.starts(with: expected))
  }

  /// The state after an earlier version of Roqua was killed while a backup switched the old file
  /// out of write-ahead mode.
  @Test func `a backup removes the journal that a killed backup left next to the file it replaces`()
    throws
  {
    #expect(try bench.roqua("backup", "bk.sqlite").status == 0)
    // A hot journal, as SQLite leaves it when it is killed during a transaction.
    let script = """
      import os, sqlite3, sys
      c = sqlite3.connect('bk.sqlite', isolation_level=None)
      c.execute('PRAGMA journal_mode = DELETE')
      c.execute('PRAGMA cache_size = 2')
      c.execute('PRAGMA cache_spill = 1')
      c.execute('BEGIN')
      c.execute('CREATE TABLE t (x)')
      for i in range(400): c.execute('INSERT INTO t VALUES (randomblob(4000))')
      os.kill(os.getpid(), 9)
      """
    var process = bench.process(["-c", script])
    process.wrapper = ["/usr/bin/env", "python3"]
    process.isToolLeftOut = true
    _ = try process.run()
    #expect(try names().contains("bk.sqlite-journal"))
    let result = try bench.roqua("backup", "bk.sqlite", "--force")
    #expect(result.status == 0, "\(result.err)")
    #expect(try names() == ["home", "bk.sqlite"])
    #expect(try bench.json("sources", "--store", "bk.sqlite") == bench.json("sources"))
  }

  @Test func `the next backup or export removes all files that killed ones left`() throws {
    let track = TrackText.gpx(from: Coordinate(-20, 11.5), count: 60_000, stepDegrees: 0.000_5)
    try bench.folder.write(track, to: "home/track.gpx")
    _ = try bench.json("import", "home/track.gpx")
    var random = SplitMix64(seed: 3)
    for command in [
      ["backup", "bk", "--force"], ["coverage", "--export", "bk.cells", "--force"],
      ["backup", "--app-format", "bk.app", "--force"],
    ] {
      let start = ContinuousClock.now
      #expect(try bench.roqua(command).status == 0)
      let length = (ContinuousClock.now - start) / .seconds(1)
      for _ in 0..<12 {
        let running = try bench.process(command).start()
        if !running.wait(seconds: .random(in: 0...length, using: &random)) { running.kill() }
        _ = try running.result()
      }
      let result = try bench.roqua(command)
      #expect(result.status == 0, "\(result.err)")
    }
    #expect(try names() == ["home", "bk", "bk.cells", "bk.app"])
    #expect(try bench.json("check", "--store", "bk").sound == .bool(true))
    var process = bench.process([
      "-c",
      "import sqlite3; c = sqlite3.connect('bk.app'); "
        + "print(*[c.execute(q).fetchone()[0] for q in ('PRAGMA integrity_check', "
        + "'SELECT count(*) FROM visited_regions')])",
    ])
    process.wrapper = ["/usr/bin/env", "python3"]
    process.isToolLeftOut = true
    let regions = try #require(try bench.json("stats").visitedRegions.int)
    #expect(try process.run().out == "ok \(regions)\n")
  }
}
