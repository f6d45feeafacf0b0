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
    // What a zone of another device erases here is counted.
    _ = try roqua("b", "zone", "add", "41.01", "28.97", "--radius", "10m")
    _ = try roqua("b", "sync")
    let left = try #require(try json("b", "stats").keptFixes.int)
    let erased = left == 6 ? "1 kept fix" : "\(7 - left) kept fixes"
    let status = try roqua("a", "sync", "status").out
    #expect(status.contains("The privacy zone would erase \(erased) here.\n"), "\(status)")
    #expect(try roqua("a", "sync").out.contains("The privacy zone erased \(erased) here.\n"))
    #expect(try json("a", "stats").keptFixes.int == left && (1..<7).contains(left))
  }

  @Test func `a device without a data folder joins by the recovery key`() throws {
    _ = try roqua("a", "import", "walk.gpx")
    let made = try bench.roqua(["sync", "shared", "--json", "--store", "a.sqlite"])
    let key = try #require(try JSONTree(parsing: made.out).recoveryKey.string)
    // The public key is shown there too.
    let refused = try bench.roqua(["sync", "shared"], environment: ["ROQUA_STORE": ""])
    #expect(refused.status == 1 && refused.err.contains("roqua sync add age1"), "\(refused.err)")
    for folder in ["new", "other"] {
      let environment = ["ROQUA_STORE": "", "XDG_DATA_HOME": bench.folder.file("\(folder)/data")]
      let command =
        folder == "new"
        ? ["sync", "shared", "--recovery-key"]
        : ["restore", "--folder", "shared", "--replace", "--recovery-key"]
      if folder == "other" { _ = try roqua("a", "backup") }
      let joined = try bench.roqua(command, input: key + "\n", environment: environment)
      #expect(joined.status == 0, "\(joined.err)")
      let stats = try bench.roqua("stats", "--json", environment: environment)
      #expect(try JSONTree(parsing: stats.out).keptFixes.int == 9)
    }
  }

  @Test(arguments: [0, 1])
  func `the same files imported with other settings end whole and sound on all devices`(
    first: Int
  ) throws {
    let files = try (0..<6).map { index -> String in
      try bench.folder.write(
        TrackText.gpx(
          from: Coordinate(48 + Double(index) * 0.1, 8), count: 12, stepDegrees: 0.0007),
        to: "\(index).gpx")
      return "\(index).gpx"
    }
    let made = try bench.roqua(["sync", "shared", "--json", "--store", "a.sqlite"])
    let key = try #require(try JSONTree(parsing: made.out).recoveryKey.string)
    func join(_ store: String) throws {
      let joined = try bench.roqua(
        ["sync", "shared", "--recovery-key", "--store", store + ".sqlite"], input: key + "\n")
      #expect(joined.status == 0, "\(joined.err)")
    }
    try join("b")
    _ = try roqua("b", "settings", "trackingDistanceMeters", "100")
    for store in first == 0 ? ["a", "b"] : ["b", "a"] {
      #expect(try bench.roqua(["import", "-q", "--store", store + ".sqlite"] + files).status == 0)
    }
    for store in first == 0 ? ["a", "b"] : ["b", "a"] { _ = try roqua(store, "sync") }
    // The folder is whole now, whoever comes next.
    try join("c")
    let expected = try json("c", "stats").keptFixes.int
    for _ in 0..<2 { for store in ["a", "b", "c"] { _ = try roqua(store, "sync") } }
    for store in ["a", "b", "c"] {
      #expect(try roqua(store, "check").out.contains("sound"))
      #expect(try json(store, "stats").keptFixes.int == expected)
      #expect(try json(store, "sources").sources.elements.count == 6)
    }
  }

  @Test func `a folder that this store has used, and that is empty, is not filled unless named`()
    throws
  {
    _ = try roqua("a", "import", "walk.gpx")
    _ = try roqua("a", "sync", "shared")
    try FileManager.default.moveItem(
      atPath: bench.folder.file("shared"), toPath: bench.folder.file("away"))
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("shared"), withIntermediateDirectories: true)
    for command in [["sync"], ["backup"]] {
      let refused = try bench.roqua(command + ["--store", "a.sqlite"])
      #expect(refused.status == 1 && refused.err.contains("perhaps its disk is not connected"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("shared")) == [])
    #expect(try roqua("a", "sync", "shared").out.contains("Sent 1 file."))
  }

  @Test func `a device is added once, by a name that people can read`() throws {
    _ = try roqua("a", "sync", "shared")
    let key = try publicKey("b")
    for text in ["phone", "age1", String(key.dropLast()), key.uppercased() + "x"] {
      _ = try roqua("a", "sync", "add", text, "--name", "phone", status: 64)
    }
    for name in ["", " ", "a\u{1B}[31m", String(repeating: "ä", count: 101)] {
      _ = try roqua("a", "sync", "add", key, "--name", name, status: 64)
      _ = try roqua("a", "sync", "shared", "--watch", "--name", name, status: 64)
    }
    #expect(try roqua("a", "sync", "add", key, "--name", "phone").out.contains("Added phone."))
    let again = try roqua("a", "sync", "add", key, "--name", "tablet")
    #expect(again.out.contains("is in the folder already, as phone."))
  }

  @Test func `who forgets what was never synced is told so`() throws {
    _ = try roqua("a", "sync", "shared", "--name", "laptop")
    _ = try roqua("a", "sync", "add", publicKey("b"), "--name", "phone")
    _ = try roqua("a", "import", "walk.gpx")
    _ = try roqua("a", "sync")
    _ = try roqua("a", "import", "other.gpx")
    let known = try roqua("a", "forget", "walk.gpx")
    #expect(known.out.contains("permanently") && !known.out.contains("had not been synced"))
    let unknown = try roqua("a", "forget", "other.gpx")
    #expect(!unknown.out.contains("permanently") && unknown.out.contains("had not been synced"))
  }

  @Test func `a folder that is missing or of other devices changes nothing`() throws {
    _ = try roqua("a", "import", "walk.gpx")
    let missing = try roqua("a", "sync", "nowhere", status: 1)
    #expect(missing.err.contains("nowhere") && !missing.err.contains("\n\n"))
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("nowhere")))
    for command in [["sync"], ["sync", "status"], ["sync", "recovery-key"]] {
      let nameless = try bench.roqua(command + ["--store", "a.sqlite"])
      #expect(nameless.status == 64 && nameless.err.contains("name the folder"), "\(command)")
    }
    _ = try roqua("a", "sync", "shared")
    let files = try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("shared"))
    let refused = try roqua("b", "sync", "shared", status: 1)
    #expect(refused.err.contains("roqua sync add age1"))
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("shared")).sorted()
        == files.sorted())
  }

  @Test func `the keys of a device and the root of the file system are not shared`() throws {
    for store in ["a", "b"] { _ = try roqua(store, "import", "walk.gpx") }
    _ = try roqua("a", "sync", "shared")
    let keys = bench.folder.file("a.sqlite-sync")
    let before = try FileManager.default.subpathsOfDirectory(atPath: keys).sorted()
    for command in ["sync", "backup"] {
      let refused = try roqua("b", command, keys, status: 1)
      #expect(refused.err.contains("a.sqlite-sync: it has a device.key"), "\(refused.err)")
      #expect(try roqua("b", command, "/", status: 1).err.contains("the root of the file system"))
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: keys).sorted() == before)
  }

  @Test func `the folder of others and a wrong fingerprint have messages of their own`() throws {
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("second"), withIntermediateDirectories: true)
    _ = try roqua("a", "sync", "shared")
    _ = try roqua("b", "sync", "second")
    let other = try roqua("b", "sync", "shared", status: 1)
    #expect(other.err.contains("shared: this store has the keys of another sync folder"))
    #expect(other.err.contains("STORE-sync"))
    let none = "0000-0000-0000-0000"
    let wrong = try roqua("a", "sync", "shared", "--fingerprint", none, status: 1)
    #expect(wrong.err.contains("shared: the folder has another fingerprint"), "\(wrong.err)")
  }

  @Test func `a name for a device that has one is not ignored in silence`() throws {
    #expect(try roqua("a", "sync", "shared", "--name", "laptop").err == "")
    #expect(try roqua("a", "sync", "shared", "--name", "laptop").err == "")
    let other = try roqua("a", "sync", "shared", "--name", "desk")
    #expect(other.err.contains("--name is ignored: this device is called laptop"), "\(other.err)")
  }

  @Test func `a name of several devices needs a code, and none is given twice`() throws {
    let made = try roqua("a", "sync", "shared", "--name", "laptop", "--json")
    let key = try #require(try JSONTree(parsing: made.out).recoveryKey.string)
    let taken = try roqua("a", "sync", "add", publicKey("b"), "--name", "laptop", status: 64)
    #expect(taken.err.contains("a device is called laptop already"), "\(taken.err)")
    _ = try roqua("a", "sync", "add", publicKey("b"), "--name", "phone")
    _ = try roqua("b", "sync", "shared")
    // Whoever joins with the recovery key does not ask.
    let joined = try bench.roqua(
      ["sync", "shared", "--recovery-key", "--name", "phone", "--store", "c.sqlite"],
      input: key + "\n")
    #expect(joined.status == 0, "\(joined.err)")
    let devices = try json("a", "sync").devices.elements
    let codes = devices.filter { $0.name.string == "phone" }.compactMap(\.code.string).sorted()
    #expect(codes.count == 2)
    let refused = try roqua("a", "sync", "remove", "phone", status: 64)
    #expect(
      refused.err.contains("phone names the devices \(codes.joined(separator: " and "))"),
      "\(refused.err)")
    #expect(try roqua("b", "sync", "remove", "phone", status: 64).err.contains("give the code"))
    _ = try roqua("a", "sync", "remove", codes[0])
    #expect(try roqua("a", "sync", "remove", "tablet", status: 64).err.contains("no device tablet"))
  }

  @Test func `a removed device changes no keys`() throws {
    _ = try roqua("a", "sync", "shared", "--name", "laptop")
    let phone = try publicKey("b")
    _ = try roqua("a", "sync", "add", phone, "--name", "phone")
    _ = try roqua("b", "sync", "shared")
    let key = try publicKey("c")
    _ = try roqua("a", "sync", "remove", "phone")
    let keys = bench.folder.file("shared/keys")
    let before = try FileManager.default.contentsOfDirectory(atPath: keys).sorted()
    for command in [
      ["add", key, "--name", "tablet"], ["remove", "laptop"], ["recovery-key"],
    ] {
      let refused = try bench.roqua(["sync"] + command + ["--store", "b.sqlite"])
      #expect(refused.status == 1 && refused.out == "", "\(command): \(refused.out)")
      let said = refused.err.contains(".age) are not for this device: it was removed")
      #expect(said, "\(refused.err)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: keys).sorted() == before)
    #expect(try roqua("a", "sync").err == "")
    let again = try roqua("a", "sync", "add", phone, "--name", "phone", status: 1)
    #expect(again.err.contains("delete the folder with the keys next to its store (STORE-sync)"))
    try FileManager.default.removeItem(atPath: bench.folder.file("b.sqlite-sync"))
    let new = try publicKey("b")
    #expect(new != phone)
    _ = try roqua("a", "sync", "add", new, "--name", "phone")
    _ = try roqua("b", "sync", "shared")
  }

  @Test func `a backup of a removed device warns that no other can restore it`() throws {
    _ = try roqua("b", "import", "walk.gpx")
    _ = try roqua("a", "sync", "shared", "--name", "laptop")
    _ = try roqua("a", "sync", "add", try publicKey("b"), "--name", "phone")
    _ = try roqua("b", "sync", "shared")
    #expect(try roqua("b", "backup").err == "")
    _ = try roqua("a", "sync", "remove", "phone")
    for command in [["backup"], ["backup", "--if-older-than", "7d"]] {
      let result = try bench.roqua(command + ["--store", "b.sqlite"])
      #expect(result.status == 2, "\(result.out)")
      #expect(result.err.hasSuffix("no other device can restore its backups\n"), "\(result.err)")
    }
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
