import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua sync` between two stores.
@Suite struct SyncTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(48.58, 7.75), count: 9), to: "walk.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(41.01, 28.97), count: 7), to: "other.gpx")
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("shared"), withIntermediateDirectories: true)
  }

  private func roqua(_ store: String, _ arguments: String..., status: Int32 = 0) throws
    -> RoquaResult
  {
    let result = try bench.roqua(arguments + ["--store", store + ".sqlite"])
    #expect(result.status == status, "\(arguments): \(result.err)")
    return result
  }

  private func json(_ store: String, _ arguments: String...) throws -> JSONTree {
    let result = try bench.roqua(arguments + ["--json", "--store", store + ".sqlite"])
    #expect(result.status == 0 && result.err == "", "\(arguments): \(result.err)")
    return try JSONTree(parsing: result.out)
  }

  /// The public key that a device shows when it is not a member.
  private func publicKey(_ store: String) throws -> String {
    let refused = try roqua(store, "sync", "shared", status: 1)
    let words = refused.err.split(separator: " ")
    return String(try #require(words.first { $0.hasPrefix("age1") }).filter { $0 != ";" })
  }

  @Test func `two stores end with the same history`() throws {
    _ = try roqua("a", "import", "walk.gpx")
    _ = try roqua("b", "import", "other.gpx")
    let made = try roqua("a", "sync", "shared", "--name", "laptop")
    #expect(made.out.contains("AGE-SECRET-KEY-1") && made.out.contains("Sent 1 file."))
    _ = try roqua("a", "sync", "add", publicKey("b"), "--name", "phone")
    let fingerprint = try #require(try json("a", "sync", "status").fingerprint.string)
    let joined = try json("b", "sync", "shared", "--fingerprint", fingerprint)
    #expect(joined.received.fixes.int == 9 && joined.recoveryKey == .null)
    #expect(joined.devices.elements.compactMap(\.name.string).sorted() == ["laptop", "phone"])
    #expect(try json("a", "sync", "status").received.fixes.int == 7)
    #expect(try json("a", "sync").received.fixes.int == 7)
    #expect(try json("a", "stats").cells.int == json("b", "stats").cells.int)
    // What is forgotten on one device is forgotten on both.
    _ = try roqua("b", "forget", "walk.gpx")
    _ = try roqua("b", "sync")
    #expect(try json("a", "sync").received.sourcesForgotten.int == 1)
    #expect(try json("a", "stats").keptFixes.int == 7)
    #expect(try roqua("a", "sync").out == "Nothing is new from other devices.\n")
  }

  @Test func `a folder that is missing or of other devices changes nothing`() throws {
    _ = try roqua("a", "import", "walk.gpx")
    let missing = try roqua("a", "sync", "nowhere", status: 1)
    #expect(missing.err.contains("nowhere") && !missing.err.contains("\n\n"))
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("nowhere")))
    #expect(try roqua("a", "sync", status: 1).err.contains("name the folder"))
    _ = try roqua("a", "sync", "shared")
    let files = try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("shared"))
    let refused = try roqua("b", "sync", "shared", status: 1)
    #expect(refused.err.contains("roqua sync add age1"))
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("shared")).sorted()
        == files.sorted())
  }

  @Test func `a file that is not there yet is reported`() throws {
    _ = try roqua("a", "import", "walk.gpx")
    let made = try bench.roqua(["sync", "shared", "--json", "--store", "a.sqlite"])
    let key = try #require(try JSONTree(parsing: made.out).recoveryKey.string)
    #expect(made.status == 0 && made.err.contains(key))
    let sources = bench.folder.file("shared/sources")
    let file = try FileManager.default.contentsOfDirectory(atPath: sources)[0]
    try FileManager.default.moveItem(
      atPath: sources + "/" + file, toPath: bench.folder.file("late"))
    let early = try bench.roqua(
      ["sync", "shared", "--recovery-key", "--store", "b.sqlite"], input: key + "\n")
    #expect(early.status == 2 && early.err.contains(file) && early.err.contains("not there yet"))
    try FileManager.default.moveItem(
      atPath: bench.folder.file("late"), toPath: sources + "/" + file)
    #expect(try json("b", "sync").received.fixes.int == 9)
  }
}
