import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

/// Paths that are not stores: one line, exit status 1, and no change.
@Suite struct StoreErrorTests {
  /// Commands to run; the track given to `import` is valid.
  private func commands(_ bench: Bench) throws -> [[String]] {
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 3), to: "a.gpx")
    return [
      ["import", "a.gpx"], ["import", "--dry-run", "a.gpx"], ["near", "48", "8"],
      ["within", "0", "0", "1", "1"],
      ["stats"], ["settings"], ["settings", "visitGapMinutes", "20"], ["sources"], ["forget", "1"],
      ["forget", "--near", "48", "8", "--radius", "1km"], ["rebuild"], ["check"],
      ["backup", "copy.sqlite"], ["backup", "--app-format", "app.sqlite"],
    ]
  }

  /// Runs all commands on a path and expects one line from each that names the path and the reason.
  private func expectFailures(_ bench: Bench, path: String, reason: String) throws {
    for command in try commands(bench) {
      for arguments in [command, command + ["--json"]] {
        let result = try bench.roqua(arguments + ["--store", path])
        #expect(result.status == 1, "\(arguments)")
        #expect(result.out == "", "\(arguments)")
        #expect(result.errorLines.count == 1, "\(arguments): \(result.err)")
        #expect(result.err.hasPrefix("roqua: \(path): "), "\(arguments): \(result.err)")
        #expect(result.err.contains(reason), "\(arguments): \(result.err)")
      }
    }
  }

  private func expectFailuresAndNoChange(_ bench: Bench, path: String, reason: String) throws {
    let before = try bytes(of: path)
    try expectFailures(bench, path: path, reason: reason)
    #expect(try bytes(of: path) == before)
    for suffix in ["-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: path + suffix), "\(suffix)")
    }
  }

  @Test(arguments: [
    "a text that is no database", "x", "SQLite format 2\u{0} and more than sixteen bytes",
  ])
  func `a file that is not a database is refused`(text: String) throws {
    let bench = try Bench()
    let path = try bench.folder.write(text, to: "notes.txt")
    try expectFailuresAndNoChange(bench, path: path, reason: "not an SQLite database")
  }

  @Test func `a track in place of a store is refused`() throws {
    let bench = try Bench()
    let path = try bench.folder.write(
      TrackText.gpx(from: Coordinate(48, 8), count: 9), to: "track.gpx")
    try expectFailuresAndNoChange(bench, path: path, reason: "not an SQLite database")
  }

  @Test func `a database of another program is refused`() throws {
    let bench = try Bench()
    let path = bench.folder.file("other.sqlite")
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let sql = "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')"
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    try expectFailuresAndNoChange(bench, path: path, reason: "but not a Roqua store")
  }

  /// `user_version` is at offset 60 of a database, most significant byte first
  /// (https://www.sqlite.org/fileformat.html, section 1.3).
  @Test func `a store of a newer version is refused`() throws {
    let bench = try Bench()
    try bench.importSamples()
    var data = try bytes(of: bench.storePath)
    data.replaceSubrange(60..<64, with: [0, 0, 3, 0xE7])
    let path = try bench.folder.write(Array(data), to: "newer.sqlite")
    try expectFailuresAndNoChange(bench, path: path, reason: "newer Roqua (store version 999")
  }

  /// `application_id` is at offset 68.
  @Test func `a store with another program's application id is refused`() throws {
    let bench = try Bench()
    try bench.importSamples()
    var data = try bytes(of: bench.storePath)
    data.replaceSubrange(68..<72, with: [0x47, 0x50, 0x4B, 0x47])  // a GeoPackage
    let path = try bench.folder.write(Array(data), to: "geo.gpkg")
    try expectFailuresAndNoChange(bench, path: path, reason: "but not a Roqua store")
  }

  @Test func `a truncated store is reported as damaged`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let data = try bytes(of: bench.storePath)
    let path = try bench.folder.write(Array(data.prefix(data.count / 2)), to: "cut.sqlite")
    try expectFailuresAndNoChange(bench, path: path, reason: "the store is damaged")
  }

  @Test func `a folder in place of a store is refused`() throws {
    let bench = try Bench()
    try bench.folder.write("file", to: "folder/inside.txt")
    try expectFailures(bench, path: bench.folder.file("folder"), reason: "it is a folder")
    let content = try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("folder"))
    #expect(content == ["inside.txt"])
  }

  @Test func `a path below a file, and one that cannot be opened, are refused`() throws {
    let bench = try Bench()
    let file = try bench.folder.write("file", to: "file.txt")
    try expectFailures(bench, path: file + "/s.sqlite", reason: "cannot open the store")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "file")
    symlink("loop", bench.folder.file("loop"))
    try expectFailures(bench, path: bench.folder.file("loop"), reason: "cannot open the store")
    let pipe = bench.folder.file("pipe")
    mkfifo(pipe, 0o600)
    try expectFailures(bench, path: pipe, reason: "it is not a file")
  }

  @Test func `without a store, queries say so and create none`() throws {
    let bench = try Bench()
    for arguments in [["near", "48", "8"], ["within", "0", "0", "1", "1"], ["stats"]] {
      for arguments in [arguments, arguments + ["--json"]] {
        let result = try bench.roqua(arguments)
        #expect(result.status == 1)
        #expect(result.out == "")
        #expect(result.errorLines.count == 1)
        #expect(result.err.hasPrefix("roqua: \(bench.storePath): there is no store"))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("home")))
  }

  @Test func `control characters in a store's name are escaped, on one line`() throws {
    let bench = try Bench()
    let path = try bench.folder.write("no database", to: "a\nb\u{1B}[31m.sqlite")
    let result = try bench.roqua("stats", "--store", path)
    #expect(result.status == 1)
    #expect(result.errorLines.count == 1)
    #expect(result.controlCharacters == [])
  }
}
