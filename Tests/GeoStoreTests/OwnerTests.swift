import CSQLite
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Databases that Roqua must not modify, in states that SQLite would recover on opening.
@Suite struct OwnerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let suffixes = ["", "-wal", "-journal", "-shm"]

  private func files(of path: String) -> [Data?] {
    Self.suffixes.map { FileManager.default.contents(atPath: path + $0) }
  }

  /// Copies the files of a database as a crash at this moment would leave them, without SQLite's
  /// shared-memory file.
  private func crashed(_ path: String, as name: String) throws -> String {
    for suffix in Self.suffixes.dropLast() {
      guard let data = FileManager.default.contents(atPath: path + suffix) else { continue }
      try folder.write(Array(data), to: name + suffix)
    }
    return folder.file(name)
  }

  private func connection(_ name: String, _ sql: String) throws -> Connection {
    let path = folder.file(name)
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute(sql)
    return connection
  }

  private func expectRefusal(_ path: String, _ expected: DatabaseError) {
    let before = files(of: path)
    for isCreating in [false, true] {
      #expect(throws: expected) { try Store(path: path, creating: isCreating) }
      #expect(files(of: path) == before)
    }
  }

  private static let notes =
    "CREATE TABLE notes (text); INSERT INTO notes VALUES (randomblob(9000));"

  @Test(arguments: [512, 4_096, 65_536])
  func `another program's database with a log is refused and left unchanged`(pageBytes: Int)
    throws
  {
    let writer = try connection(
      "app.sqlite", "PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; " + Self.notes)
    let path = try crashed(writer.path, as: "other.sqlite")
    // All tables are only in the log: by itself the file is an empty database.
    #expect(files(of: path)[0]?.count == pageBytes)
    expectRefusal(path, .otherProgram(path: path))
  }

  @Test func `another program's database with a log without its first page is refused`() throws {
    let writer = try connection("app.sqlite", "PRAGMA journal_mode = WAL; " + Self.notes)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE); UPDATE notes SET text = 'other'")
    let path = try crashed(writer.path, as: "other.sqlite")
    expectRefusal(path, .otherProgram(path: path))
  }

  @Test func `another program's database with a hot journal is refused`() throws {
    let writer = try connection(
      "app.sqlite",
      "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 4;" + Self.notes + "PRAGMA cache_spill = 1"
    )
    try writer.execute("BEGIN")
    for _ in 0..<50 { try writer.execute("INSERT INTO notes VALUES (randomblob(9000))") }
    let path = try crashed(writer.path, as: "other.sqlite")
    #expect((files(of: path)[2]?.count ?? 0) > 512)
    expectRefusal(path, .otherProgram(path: path))
  }

  /// The file looks like an empty database: its former content is in the journal.
  @Test func `another program's database with tables only in the journal is refused`() throws {
    let writer = try connection(
      "app.sqlite", "PRAGMA page_size = 512; PRAGMA cache_size = 4; " + Self.notes)
    try writer.execute("BEGIN; DELETE FROM notes; DROP TABLE notes;")
    let before = try crashed(writer.path, as: "before.sqlite")
    let empty = try connection(
      "empty.sqlite", "PRAGMA page_size = 512; CREATE TABLE a (b); DROP TABLE a")
    #expect((files(of: before)[2]?.count ?? 0) > 512)
    let page = try #require(files(of: empty.path)[0])
    let path = try folder.write(Array(page), to: "other.sqlite")
    // SQLite writes the number of records when it syncs. After a crash at that point all records
    // are rolled back.
    var journal = [UInt8](try #require(files(of: before)[2]))
    journal.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    try folder.write(journal, to: "other.sqlite-journal")
    expectRefusal(path, .otherProgram(path: path))
  }

  /// A store left by a newer program that was stopped before a checkpoint.
  @Test func `a store with a newer version only in its log is refused`() throws {
    let path = folder.file("s.sqlite")
    do {
      let store = try Store(path: path, creating: true)
      try store.checkpoint()
    }
    let writer = try connection("s.sqlite", "PRAGMA user_version = 1000")
    let newer = try crashed(writer.path, as: "newer.sqlite")
    expectRefusal(
      newer, .newerVersion(path: newer, found: 1_000, supported: Schema.format.currentVersion))
    // The file alone is a store of this version.
    let own = try folder.write(Array(try #require(files(of: newer)[0])), to: "own.sqlite")
    _ = try Store(path: own, creating: false)
  }

  @Test func `a store of a newer version with a log is refused`() throws {
    let path = folder.file("s.sqlite")
    do { _ = try Store(path: path, creating: true) }
    let writer = try connection(
      "s.sqlite", "PRAGMA user_version = 1000; PRAGMA wal_checkpoint(TRUNCATE)")
    try writer.execute("INSERT INTO settings (key, value) VALUES ('a', 1)")
    let newer = try crashed(writer.path, as: "newer.sqlite")
    #expect((files(of: newer)[1]?.count ?? 0) > 4_096)
    expectRefusal(
      newer, .newerVersion(path: newer, found: 1_000, supported: Schema.format.currentVersion))
  }

  /// Pages of an uncommitted transaction in the log do not count.
  @Test func `a newer version in an uncommitted part of the log is ignored`() throws {
    let path = folder.file("s.sqlite")
    do { _ = try Store(path: path, creating: true) }
    let writer = try connection(
      "s.sqlite",
      "BEGIN; PRAGMA user_version = 1000; INSERT INTO settings (key, value) VALUES ('a', 1); COMMIT"
    )
    let copy = try crashed(writer.path, as: "copy.sqlite")
    // Drop the last frame, which commits the transaction.
    try folder.write(Array(try #require(files(of: copy)[1]).dropLast(4_096)), to: "copy.sqlite-wal")
    let log = try #require(WriteAheadLog(path: copy + "-wal"))
    #expect(log.firstPages().map(\.version) == [1_000])
    #expect(log.committedFirstPage() == nil)
    #expect(try Store(path: copy, creating: false).regions().isEmpty)
  }

  @Test(arguments: Seeds.sample(6))
  func `the first page found in a log is the one that SQLite reads`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let writer = try connection(
      "app.sqlite",
      "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    for round in 0..<30 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try writer.execute(
          "PRAGMA user_version = \(Int32.random(in: .min ... .max, using: &random))")
      case 1:
        try writer.execute(
          "PRAGMA application_id = \(Int32.random(in: .min ... .max, using: &random))")
      case 2: try writer.execute("CREATE TABLE IF NOT EXISTS t\(round % 5) (a)")
      default:
        if round > 10 { _ = try writer.integer("PRAGMA wal_checkpoint(RESTART)") }
      }
      let copy = try crashed(writer.path, as: "copy-\(round).sqlite")
      // A torn end, as after a power failure.
      var bytes = [UInt8](files(of: copy)[1] ?? Data())
      bytes.removeLast(min(bytes.count, .random(in: 0...1_500, using: &random)))
      try folder.write(bytes, to: "copy-\(round).sqlite-wal")
      let logged = WriteAheadLog(path: copy + "-wal")?.committedFirstPage()
      let reader = try Connection(path: copy, flags: SQLITE_OPEN_READWRITE)
      let own = FirstPage(try reader.fileBytes(at: 0, count: FirstPage.bytes))
      let found = try #require(logged ?? own)
      try #expect(found.applicationID == reader.integer("PRAGMA application_id"))
      try #expect(found.version == Int(reader.integer("PRAGMA user_version") ?? -1))
      try #expect(found.hasNoTables == (reader.integer("SELECT count(*) FROM sqlite_schema") == 0))
    }
  }

  /// When a process closes a file, it loses its locks on it. Another process could then remove the
  /// log while this one uses it.
  @Test func `inspecting a file does not release the locks of those who have it open`() throws {
    let path = folder.file("s.sqlite")
    let store = try Store(path: path, creating: true)
    try store.add([], as: "one")
    let probe = try #require(LockProbe(path: path))
    let locks = probe.ranges()
    #if os(Linux)
      try #require(!locks.isEmpty)
    #endif
    do { _ = try Store(path: path, creating: true) }
    #expect(throws: StoreError.self) { try AppDatabase(path: path) }
    #expect(probe.ranges() == locks)
    withExtendedLifetime((store, probe)) {}
  }
}
