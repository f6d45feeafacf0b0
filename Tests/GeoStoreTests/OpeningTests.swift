import CSQLite
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct OpeningTests {
  @Test func `a new store is its owner's alone, WAL files included`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("deep/down/s.sqlite")
    let store = try Store(path: path, creating: true)
    try store.add([], as: "one")
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
  }

  @Test func `what was written is there after closing and opening`() throws {
    var random = SplitMix64(seed: 1)
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    let track = wanderingTrack(count: 100, homes: awkwardHomes, using: &random)
    let regions = try { () throws -> [VisitedRegion] in
      let store = try Store(path: path, creating: true)
      try store.add(track, as: "one")
      return try store.regions()
    }()
    let store = try Store(path: path, creating: false)
    #expect(try store.regions() == regions)
    var kept: [KeptFix] = []
    try store.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { kept += $0 }
    }
    #expect(kept == track)
  }

  @Test func `the pragmas are what they should be`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let both = [
      "cache_size": "10000", "temp_store": "2", "foreign_keys": "1", "busy_timeout": "60000",
    ]
    for (name, expected) in both {
      let values = try store.pragma(name)
      #expect(values.writer == expected, "\(name)")
      #expect(values.reader == expected, "\(name)")
    }
    #expect(try store.pragma("journal_mode").writer == "wal")
    #expect(try store.pragma("synchronous").writer == "1")
    #expect(try store.pragma("secure_delete").writer == "1")
    #expect(try store.pragma("page_size").writer == "4096")
    #expect(try store.pragma("wal_autocheckpoint").writer == "4000")
    #expect(try store.pragma("mmap_size").reader == "268435456")
    #expect(try store.pragma("query_only").reader == "1")
    #expect(try store.pragma("application_id").writer == "1383035253")  // "Roqu", 0x526F7175
    #expect(try store.pragma("user_version").writer == "\(Schema.format.currentVersion)")
  }

  @Test func `a store that waits for the disk says so`() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions()
    options.durability = .full
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    #expect(try store.pragma("synchronous").writer == "2")
    try store.add([], as: "one")
    #expect(try store.check().isSound)
  }

  /// The end of the file is in the log beside the file itself, not beside the link.
  @Test func `a store through a symbolic link is the store, with its log`() throws {
    var random = SplitMix64(seed: 1)
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    let store = try Store(path: path, creating: true)
    try store.add(wanderingTrack(count: 300, homes: awkwardHomes, using: &random), as: "one")
    for suffix in ["", "-wal"] {
      try folder.write(
        Array(try Data(contentsOf: URL(fileURLWithPath: path + suffix))),
        to: "real/s.sqlite" + suffix)
    }
    // The header counts pages that are in the log only, as a power cut in a checkpoint leaves them.
    let real = folder.file("real/s.sqlite")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: real)))
    bytes.replaceSubrange(28..<32, with: [0, 0, 0xFF, 0xFF])
    try folder.write(bytes, to: "real/s.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.sqlite"), withDestinationPath: "real/s.sqlite")
    let linked = try Store(path: folder.file("link.sqlite"), creating: false)
    #expect(try linked.regions() == store.regions())
  }

  @Test func `a store that is not there is only made where that is asked for`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    #expect(throws: DatabaseError.missing(path: path)) { try Store(path: path, creating: false) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a folder is no store`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: DatabaseError.cannotOpen(path: folder.path, reason: "it is a folder")) {
      try Store(path: folder.path, creating: true)
    }
  }

  @Test func `a path below a file is refused`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("text", to: "file")
    #expect(throws: DatabaseError.self) { try Store(path: file + "/s.sqlite", creating: true) }
  }

  @Test(arguments: ["a text that is no database", "SQLite format 2", "x"])
  func `a file that is no database is refused and left as it is`(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "notes.txt")
    #expect(throws: DatabaseError.notADatabase(path: path)) {
      try Store(path: path, creating: true)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  /// The bytes of a database that a few statements make.
  private func database(_ sql: String, at path: String) throws {
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute(sql)
  }

  @Test func `another program's database is refused and left as it is`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other.sqlite")
    try database("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')", at: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: DatabaseError.otherProgram(path: path)) {
      try Store(path: path, creating: true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a store of a newer version is refused and left as it is`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    do { _ = try Store(path: path, creating: true) }
    try database("PRAGMA user_version = 1000", at: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let expected = DatabaseError.newerVersion(
      path: path, found: 1_000, supported: Schema.format.currentVersion)
    #expect(throws: expected) { try Store(path: path, creating: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `an empty file becomes a store where one is wanted`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "s.sqlite")
    #expect(throws: DatabaseError.missing(path: path)) { try Store(path: path, creating: false) }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 0)
    let store = try Store(path: path, creating: true)
    #expect(try store.regions().isEmpty)
    #expect(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a store cut short is an error and no crash`() throws {
    var random = SplitMix64(seed: 1)
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    do {
      let store = try Store(path: path, creating: true)
      try store.add(wanderingTrack(count: 400, homes: awkwardHomes, using: &random), as: "one")
      try store.checkpoint()
    }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in [1, 16, 99, 100, 4_096, whole.count / 2, whole.count - 1] {
      let cut = try folder.write(Array(whole.prefix(length)), to: "cut-\(length).sqlite")
      #expect(throws: DatabaseError.self) {
        let store = try Store(path: cut, creating: false)
        _ = try store.regions()
        _ = try store.coverage()
      }
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `a store with flipped bits gives answers or an error, never a crash`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    do {
      let store = try Store(path: path, creating: true)
      try store.add(wanderingTrack(count: 400, homes: awkwardHomes, using: &random), as: "one")
      try store.checkpoint()
    }
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var failures = 0
    for round in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        // Half of them in the first page, where the schema is.
        let place =
          round % 2 == 0
          ? Int.random(in: 0..<4_096, using: &random) : bytes.indices.randomElement(using: &random)
        bytes[place ?? 0] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      let damaged = try folder.write(bytes, to: "flipped.sqlite")
      do {
        let store = try Store(path: damaged, creating: false)
        _ = try store.read { snapshot in
          _ = try snapshot.counts()
          _ = try snapshot.nearestRegions(to: awkwardHomes[0], count: 1_000)
          try snapshot.forEachChunkOfKeptFixes { _ in }
        }
        _ = try store.coverage()
        try store.add(wanderingTrack(count: 20, homes: awkwardHomes, using: &random), as: "two")
      } catch let error as DatabaseError {
        failures += 1
        #expect(!error.description.contains("\n"))
      }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: damaged + suffix)
      }
    }
    #expect(failures > 5)
  }
}
