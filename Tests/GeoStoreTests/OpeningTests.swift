import CSQLite
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct OpeningTests {
  @Test func `a new store and its WAL files are readable only by their owner`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("deep/down/s.sqlite")
    let store = try Store(path: path, creating: true)
    try store.add([], as: "one")
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
  }

  @Test func `data is still there after a store is closed and opened again`() throws {
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

  @Test func `connections have the documented pragmas`() throws {
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

  @Test func `readers that save memory map nothing, cache 8 MB, and sort in memory`() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions()
    options.savesMemory = true
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    #expect(try store.pragma("mmap_size").reader == "0")
    #expect(try store.pragma("cache_size").reader == "2000")
    #expect(try store.pragma("cache_size").writer == "10000")
    #expect(try store.pragma("temp_store").reader == "2")
  }

  @Test func `full durability sets synchronous to FULL`() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions()
    options.durability = .full
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    #expect(try store.pragma("synchronous").writer == "2")
    try store.add([], as: "one")
    #expect(try store.check().isSound)
  }

  /// The latest data is in the log next to the file, not next to the link.
  @Test func `a store opened through a symbolic link includes its log`() throws {
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
    // The header counts pages that are only in the log, as after a power failure during a
    // checkpoint.
    let real = folder.file("real/s.sqlite")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: real)))
    bytes.replaceSubrange(28..<32, with: [0, 0, 0xFF, 0xFF])
    try folder.write(bytes, to: "real/s.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.sqlite"), withDestinationPath: "real/s.sqlite")
    let linked = try Store(path: folder.file("link.sqlite"), creating: false)
    #expect(try linked.regions() == store.regions())
  }

  @Test func `a missing store is created only on request`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    #expect(throws: DatabaseError.missing(path: path)) { try Store(path: path, creating: false) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a store is read as empty until somebody makes it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    var options = StoreOptions()
    options.isMadeByFirstChange = true
    func sources(_ store: Store) throws -> Int {
      try store.read { snapshot in try snapshot.counts().sources }
    }
    let (first, second) = (
      try Store(path: path, creating: true, options: options),
      try Store(path: path, creating: true, options: options)
    )
    for _ in 0..<3 { #expect(try sources(first) == 0 && sources(second) == 0) }
    #expect(!FileManager.default.fileExists(atPath: path))
    // By this one, and by another process.
    try first.add([], as: "one")
    for _ in 0..<3 { #expect(try sources(first) == 1 && sources(second) == 1) }
    try second.add([], as: "two")
    #expect(try sources(first) == 2 && sources(second) == 2)
  }

  @Test func `a folder cannot be opened as a store`() throws {
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
  func `a file that is not a database is refused and left unchanged`(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "notes.txt")
    #expect(throws: DatabaseError.notADatabase(path: path)) {
      try Store(path: path, creating: true)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  /// Creates a database with a few statements.
  private func database(_ sql: String, at path: String) throws {
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute(sql)
  }

  @Test func `another program's database is refused and left unchanged`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other.sqlite")
    try database("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')", at: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: DatabaseError.otherProgram(path: path)) {
      try Store(path: path, creating: true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a store of a newer version is refused and left unchanged`() throws {
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

  @Test func `an empty file becomes a store only on request`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "s.sqlite")
    #expect(throws: DatabaseError.missing(path: path)) { try Store(path: path, creating: false) }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 0)
    let store = try Store(path: path, creating: true)
    #expect(try store.regions().isEmpty)
    #expect(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a truncated store throws an error`() throws {
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
  func `a store with flipped bits returns answers or throws, and never crashes`(seed: UInt64)
    throws
  {
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
        // Half of them are in the first page, which contains the schema.
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
