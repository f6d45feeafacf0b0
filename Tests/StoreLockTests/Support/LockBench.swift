#if Sync
  import AgeFile
  import CSQLite
  import Foundation
  import SQLiteLayer
  import TestSupport
  import Testing

  @testable import StoreLock

  /// A folder with a store and the files next to it, and a folder in memory.
  final class LockBench {
    static let passphrase = AgePassphrase("correct horse")

    let folder: TemporaryFolder
    /// The folder in memory; on systems without one, a folder that does not count as such.
    let memory: String
    var path: String { folder.file("store.sqlite") }
    var lockedPath: String { path + ".age" }
    var lock: StoreLock

    init() throws {
      folder = try TemporaryFolder()
      memory = "/dev/shm/roqua-test-" + UUID().uuidString
      lock = StoreLock(path: folder.file("store.sqlite"))
      lock.workFactor = 4
      lock.memoryFolders = [memory]
      mkdir(memory, 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: memory) }

    /// Makes the store: a database with a log, as a program leaves it that is killed.
    func makeStore(rows: Int, seed: UInt64 = 1) throws {
      var random = SplitMix64(seed: seed)
      let made = try Connection(
        path: folder.file("made"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      _ = try made.text("PRAGMA journal_mode = WAL")
      try made.execute("CREATE TABLE fixes (id INTEGER PRIMARY KEY, value INTEGER, bytes BLOB)")
      for half in 0..<2 {
        if half == 1 { _ = try made.integer("PRAGMA wal_checkpoint(TRUNCATE)") }
        for _ in 0..<(rows + half) / 2 {
          try made.execute(
            "INSERT INTO fixes (value, bytes) VALUES (\(Int64(bitPattern: random.next())), "
              + "randomblob(\(random.next() % 3000)))")
        }
      }
      for ending in ["", "-wal"] {
        try copy(folder.file("made") + ending, to: path + ending)
        chmod(path + ending, 0o600)
      }
      try #require(rows < 2 || Self.size(path + "-wal") > 0)
    }

    /// Makes the files that belong to a store.
    func makeOthers() throws {
      try folder.write([UInt8](0...255), to: "store.sqlite-sync/device.key")
      try folder.write("", to: "store.sqlite-sync/folder.path")
      try folder.write("", to: "store.sqlite-sync/lock")
      try folder.write("phone abc\n", to: "store.sqlite.tokens")
      let inbox = try Connection(
        path: path + ".inbox", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      _ = try inbox.text("PRAGMA journal_mode = WAL")
      try inbox.execute("CREATE TABLE messages (text TEXT); INSERT INTO messages VALUES ('48.58')")
    }

    /// What the rows of the store add up to, and the bytes of the other files.
    func contents(of file: String? = nil) throws -> [String] {
      let store = try Connection(path: file ?? path, flags: SQLITE_OPEN_READWRITE)
      var lines: [String] = []
      let statement = try Statement(
        "SELECT id || ' ' || value || ' ' || hex(bytes) FROM fixes ORDER BY id", on: store)
      while try statement.step() { lines.append(statement.text(at: 0) ?? "") }
      #expect(try store.text("PRAGMA integrity_check") == "ok")
      let base = file ?? path
      for ending in ["-sync/device.key", "-sync/folder.path", ".tokens"] {
        guard let bytes = FileManager.default.contents(atPath: base + ending) else { continue }
        lines.append("\(ending) \(Array(bytes))")
      }
      if FileManager.default.fileExists(atPath: base + ".inbox") {
        let inbox = try Connection(path: base + ".inbox", flags: SQLITE_OPEN_READWRITE)
        lines.append(try inbox.text("SELECT group_concat(text) FROM messages") ?? "")
      }
      return lines
    }

    /// The names in the folder of the store, without those of how it was made.
    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { !$0.hasPrefix("made") }.sorted()
    }

    func copy(_ source: String, to target: String) throws {
      try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    static func size(_ path: String) -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    static func mode(_ path: String) -> mode_t {
      var status = stat()
      return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
  }
#endif
