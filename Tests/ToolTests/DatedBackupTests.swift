import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua backup` in a folder, and `roqua restore`.
@Suite struct DatedBackupTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(48.58, 7.75), count: 9), to: "walk.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(41.01, 28.97), count: 7), to: "other.gpx")
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("dated"), withIntermediateDirectories: true)
  }

  private func roqua(_ arguments: String..., status: Int32 = 0) throws -> RoquaResult {
    let result = try bench.roqua(arguments)
    #expect(result.status == status, "\(arguments): \(result.out) \(result.err)")
    return result
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("dated/" + folder))
      .sorted()
  }

  @Test func `a store is replaced by its backup, and brought back`() throws {
    _ = try roqua("import", "walk.gpx")
    _ = try roqua("settings", "units", "imperial")
    let before = try bench.json("stats")
    let made = try roqua("backup", "dated", "--note", "before the journey")
    #expect(made.out.contains("AGE-SECRET-KEY-1"))
    #expect(made.out.contains("Backed up 1 source with 9 kept fixes") && made.err == "")
    _ = try roqua("import", "other.gpx")
    _ = try roqua("settings", "units", "metric")
    _ = try roqua("forget", "walk.gpx")
    let list = try roqua("backup", "--list")
    #expect(list.out.contains("before the journey") && list.out.contains("9 kept fixes"))
    let restored = try roqua("restore", "--replace")
    #expect(restored.out.contains("1 source with 9 kept fixes"))
    #expect(restored.out.contains("roqua restore --last"))
    #expect(restored.out.contains("1 source that was never synced is only in the replaced store"))
    #expect(try bench.json("stats").cells.int == before.cells.int)
    #expect(try bench.json("stats").keptFixes.int == 9)
    #expect(try roqua("settings", "units").out.contains("imperial"))
    #expect(try roqua("check").out.contains("sound"))
    let back = try bench.json("restore", "--last")
    #expect(back.mode.string == "last" && back.replacedAt.string != nil)
    #expect(try bench.json("stats").keptFixes.int == 7)
    _ = try roqua("restore", "--last")
    #expect(try bench.json("stats").keptFixes.int == 9)
    // The folder learns of the restored store by the next sync.
    _ = try roqua("sync")
    #expect(try bench.json("stats").keptFixes.int == 9)
  }

  @Test func `a list with a damaged backup has status 2, and a file is no folder`() throws {
    _ = try roqua("import", "walk.gpx")
    #expect(try roqua("backup", "--list", status: 64).err.contains("name the folder"))
    #expect(try roqua("backup", "--list", "walk.gpx", status: 1).err.contains("not a folder"))
    _ = try roqua("backup", "dated")
    #expect(try roqua("backup", "--list").err == "")
    let file = try bench.folder.file("dated/backups/" + names("backups")[0])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[400] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    let damaged = try roqua("backup", "--list", status: 2)
    #expect(damaged.err.contains("damaged") && damaged.out == "")
    let document = try JSONTree(parsing: roqua("backup", "--list", "--json", status: 2).out)
    let problem = try #require(document.problems.elements.first)
    let path = try #require(problem.path.string)
    let reason = try #require(problem.reason.string)
    #expect(file.hasSuffix(path) && reason.hasPrefix("damaged") && !reason.contains(path))
  }

  @Test func `a backup that cannot be read is removed, and the next sync removes its files`() throws
  {
    _ = try roqua("import", "walk.gpx")
    _ = try roqua("backup", "dated")
    _ = try roqua("forget", "walk.gpx")
    let name = try names("backups")[0]
    try Data(count: 4_000).write(
      to: URL(fileURLWithPath: bench.folder.file("dated/backups/" + name)))
    let removed = try roqua("backup", "--remove", String(name.prefix(16)))
    #expect(removed.out.contains("which could not be read. The next sync removes"))
    #expect(removed.err == "" && !removed.out.contains("0 files"))
    #expect(try names("sources").count == 1 && names("backups").isEmpty)
    _ = try roqua("sync")
    #expect(try names("sources").isEmpty)
  }

  @Test func `a backup from before a new recovery key is not called damaged`() throws {
    _ = try roqua("import", "walk.gpx")
    _ = try roqua("backup", "dated")
    _ = try roqua("sync", "recovery-key")
    let list = try roqua("backup", "--list", status: 2)
    #expect(list.out == "" && !list.err.contains("damaged"), "\(list.out)\(list.err)")
    #expect(list.err.contains("the next backup of the device that made it makes it usable again"))
    #expect(try roqua("backup", "--verify", status: 2).out == "")
    _ = try roqua("backup")
    #expect(try bench.json("backup", "--list").backups.elements.count == 2)
  }

  @Test func `whoever deletes data is told of the replaced store, which goes after a day`() throws {
    _ = try roqua("import", "walk.gpx")
    _ = try roqua("backup", "dated")
    _ = try roqua("restore", "--replace")
    let side = bench.storePath + "-sync"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: side).first {
        $0.hasPrefix("replaced-")
      })
    #expect(try roqua("check").err.contains("\(name): this store was replaced at 2"))
    for command in [["forget", "walk.gpx"], ["zone", "add", "48.1", "11.5", "--radius", "500m"]] {
      let result = try bench.roqua(command)
      #expect(result.status == 0 && result.err.contains("\(name): this store"), "\(result.err)")
      #expect(result.err.contains("may still have the data"))
    }
    // As if it had been replaced two days ago.
    try FileManager.default.moveItem(
      atPath: side + "/" + name, toPath: side + "/replaced-1700000000000.sqlite")
    #expect(try roqua("check").err == "")
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: side).contains {
        $0.hasPrefix("replaced-")
      })
  }

  @Test func `what was forgotten, removed or reset after a restoration stays so`() throws {
    _ = try roqua("import", "walk.gpx", "other.gpx")
    _ = try roqua("zone", "add", "10", "10", "--radius", "500m", "--name", "far")
    _ = try roqua("settings", "visitGapMinutes", "60")
    _ = try roqua("backup", "dated")
    _ = try roqua("restore", "--replace")
    #expect(try roqua("sync", "status").out.hasSuffix("Nothing is new from other devices.\n"))
    _ = try roqua("forget", "walk.gpx")
    _ = try roqua("zone", "remove", "far")
    _ = try roqua("settings", "visitGapMinutes", "default")
    #expect(try roqua("sync").out.hasPrefix("Nothing is new from other devices.\n"))
    #expect(try bench.json("stats").keptFixes.int == 7)
    #expect(try bench.json("zone", "list").zones.elements.isEmpty)
    #expect(try bench.json("settings").visitGapMinutes.int == 30)
    #expect(try roqua("check").out.hasSuffix("The store is sound.\n"))
    // A new restoration brings the source back, and the next sync forgets it.
    _ = try roqua("restore", "--replace")
    #expect(try bench.json("stats").keptFixes.int == 16)
    _ = try roqua("sync")
    #expect(try bench.json("stats").keptFixes.int == 7)
  }

  @Test func `what a device has forgotten is forgotten again by the next sync, which reports it`()
    throws
  {
    _ = try roqua("import", "walk.gpx", "other.gpx")
    _ = try roqua("backup", "dated")
    _ = try roqua("forget", "walk.gpx")
    _ = try roqua("sync")
    let merged = try bench.json("restore", "--merge")
    #expect(merged.forgottenSince.int == 1 && merged.sync.received.sources.int == 0)
    let restored = try roqua("restore", "--replace")
    #expect(restored.out.contains("1 source of it was forgotten since"))
    #expect(restored.out.contains("What was never synced is only in the replaced store"))
    #expect(try bench.json("stats").keptFixes.int == 16)
    _ = try roqua("sync")
    #expect(try bench.json("stats").keptFixes.int == 7)
    // The backup still has it.
    #expect(try bench.json("backup", "--verify").filesRead.int == 2)
  }

  @Test func `a verification names what is missing or damaged, with exit status 2`() throws {
    _ = try roqua("import", "walk.gpx", "other.gpx")
    _ = try roqua("backup", "dated")
    #expect(try roqua("backup", "--verify").out.contains("sound"))
    let files = try names("sources")
    let path = bench.folder.file("dated/sources/" + files[0])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 20] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: bench.folder.file("dated/sources/" + files[1]))
    let damaged = try roqua("backup", "--verify", status: 2)
    #expect(damaged.out.contains("2 files missing or damaged"))
    for file in files { #expect(damaged.err.contains(file)) }
    let refused = try roqua("restore", "--replace", status: 1)
    #expect(refused.errorLines.count == 1 && refused.err.contains("the store is unchanged"))
    // The device still has the contents, and sends them again.
    try FileManager.default.removeItem(atPath: path)
    _ = try roqua("backup")
    #expect(try roqua("backup", "--verify").out.contains("sound"))
    let backup = bench.folder.file("dated/backups/" + (try names("backups")[0]))
    try Data(count: 5_000).write(to: URL(fileURLWithPath: backup))
    #expect(try roqua("backup", "--verify", status: 2).err.contains("backups/"))
  }

  @Test func `backups expire, are made weekly, and are removed by date`() throws {
    _ = try roqua("import", "walk.gpx")
    _ = try roqua("backup", "dated", "--keep", "2")
    for _ in 0..<3 { _ = try roqua("backup") }
    #expect(try names("backups").count == 2)
    let last = try roqua("backup", "--if-older-than", "7d")
    #expect(last.out.hasPrefix("The last backup is from ") && last.err == "")
    #expect(try bench.json("backup", "--if-older-than", "1h").backup == .null)
    let list = try bench.json("backup", "--list").backups.elements
    #expect(list.count == 2 && list[0].sources.int == 1)
    let date = try #require(list[0].date.string)
    _ = try roqua("backup", "--remove", "1999", status: 64)
    // Nothing else needs the file of a source that is forgotten.
    _ = try roqua("forget", "walk.gpx")
    _ = try roqua("sync")
    #expect(try names("sources").count == 1)
    #expect(try roqua("backup", "--remove", date).out.hasPrefix("Removed the backup of \(date)"))
    #expect(try names("sources").count == 1 && names("backups").count == 1)
    let code = try #require(list[1].code.string)
    #expect(try bench.json("backup", "--remove", code).filesRemoved.int == 1)
    #expect(try names("sources").isEmpty && names("backups").isEmpty)
    #expect(try roqua("backup", "--list").out == "The folder has no backup.\n")
    #expect(try roqua("restore", "--replace", status: 1).err.contains("no backup"))
  }

  @Test func `a store is restored on a new computer with the recovery key`() throws {
    _ = try roqua("import", "walk.gpx")
    let made = try roqua("backup", "dated", "--json")
    let key = try #require(try JSONTree(parsing: made.out).recoveryKey.string)
    #expect(made.err.contains(key))
    let arguments = [
      "restore", "--folder", "dated", "--recovery-key", "--replace", "--store", "new.sqlite",
    ]
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("second"), withIntermediateDirectories: true)
    _ = try roqua("import", "walk.gpx", "--store", "second.sqlite")
    let second = try roqua("backup", "second", "--json", "--store", "second.sqlite")
    let other = try #require(try JSONTree(parsing: second.out).recoveryKey.string)
    for text in ["AGE-SECRET-KEY-1", other] {
      let wrong = try bench.roqua(arguments, input: text + "\n")
      #expect(wrong.status == 1 && !wrong.err.contains("roqua sync add"), "\(wrong.err)")
      for name in ["new.sqlite", "new.sqlite-sync"] {
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file(name)), "\(name)")
      }
    }
    let restored = try bench.roqua(arguments, input: key + "\n")
    #expect(restored.status == 0, "\(restored.err)")
    #expect(try bench.json("stats", "--store", "new.sqlite").keptFixes.int == 9)
    _ = try roqua("sync", "--store", "new.sqlite")
  }

  @Test func `what is missing or contradicts itself is refused, and nothing is made`() throws {
    #expect(try roqua("backup", status: 64).err.hasPrefix("Error: Name a file"))
    #expect(try roqua("restore", status: 64).err.hasPrefix("Error: Give --merge"))
    #expect(try roqua("restore", "--merge", status: 64).err.contains("no sync folder yet"))
    #expect(try roqua("restore", "--last", status: 1).err.contains("kept for a day"))
    for arguments in [
      ["backup", "--list", "--verify"], ["backup", "--date", "2024"], ["backup", "--keep", "0"],
      ["backup", "--if-older-than", "soon"], ["backup", "--list", "--note", "x"],
      ["restore", "--merge", "--replace"], ["restore", "--last", "2024"],
      ["backup", "dated", "--note", String(repeating: "é", count: 501)],
    ] {
      let result = try bench.roqua(arguments)
      #expect(result.status == 64 && result.err.hasPrefix("Error: "), "\(arguments)")
    }
    let empty = try roqua("backup", "dated", "--list", status: 1)
    #expect(empty.err.contains("no keys"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("dated")) == [])
    #expect(!bench.hasStore)
  }

  @Test func `a folder that is gone does not become an unencrypted copy of the store`() throws {
    _ = try roqua("import", "walk.gpx")
    for path in ["elsewhere", "elsewhere/", "missing/elsewhere"] {
      let refused = try roqua("backup", path, status: 1)
      #expect(refused.err.contains("there is no such folder"), "\(refused.err)")
    }
    _ = try roqua("backup", "dated")
    try FileManager.default.removeItem(atPath: bench.folder.file("dated"))
    for arguments in [["backup"], ["backup", "dated"], ["backup", bench.folder.file("dated")]] {
      #expect(try bench.roqua(arguments).status == 1, "\(arguments)")
    }
    // A disk that is not connected, whose name looks like that of a file.
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("disk.1"), withIntermediateDirectories: false)
    _ = try roqua("backup", "disk.1")
    try FileManager.default.removeItem(atPath: bench.folder.file("disk.1"))
    #expect(try roqua("backup", "disk.1", status: 1).err.contains("not connected"))
    for name in ["elsewhere", "missing", "dated", "disk.1"] {
      #expect(!FileManager.default.fileExists(atPath: bench.folder.file(name)), "\(name)")
    }
    _ = try roqua("backup", "copy.sqlite")
    #expect(try bench.json("stats", "--store", "copy.sqlite").keptFixes.int == 9)
  }

  @Test func `a restore that is killed leaves the old store or the new one, whole`() throws {
    for index in 0..<12 {
      let start = Coordinate(40 + Double(index), 8)
      try bench.folder.write(
        TrackText.gpx(from: start, count: 400), to: "tracks/\(index).gpx")
    }
    _ = try roqua("import", "tracks")
    _ = try roqua("backup", "dated")
    let old = try #require(try bench.json("stats").keptFixes.int)
    _ = try roqua("import", "walk.gpx")
    var random = SplitMix64(seed: 24)
    let clock = ContinuousClock()
    let began = clock.now
    _ = try roqua("restore", "--replace")
    let latest = min(2, (clock.now - began) / .seconds(1))
    _ = try roqua("restore", "--last")
    for round in 0..<16 {
      let arguments = round % 4 == 3 ? ["restore", "--last"] : ["restore", "--replace"]
      let running = try bench.process(arguments).start()
      if !running.wait(seconds: .random(in: 0...latest, using: &random)) {
        running.kill()
        #expect(running.wait(seconds: 30))
      }
      let result = try running.result()
      let found = try #require(try bench.json("stats").keptFixes.int)
      #expect([old, old + 9].contains(found), "round \(round): \(result.err)")
      if !result.wasKilled, round % 4 < 3 { #expect(found == old) }
      #expect(try roqua("check").status == 0)
    }
    // The next one cleans up.
    _ = try roqua("restore", "--replace")
    let folder = bench.storePath + "-sync"
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.filter { $0.hasPrefix("restoring-") } == [])
    #expect(try bench.json("stats").keptFixes.int == old)
    _ = try roqua("import", "walk.gpx")
  }
}
