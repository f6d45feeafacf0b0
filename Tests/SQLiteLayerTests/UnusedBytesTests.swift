import CSQLite
import Foundation
import TestSupport
import Testing

@testable import SQLiteLayer

/// Clearing the bytes of a database file that no row uses. `secure_delete` is off here, so that all
/// deleted data would stay.
@Suite struct UnusedBytesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Markers of deleted rows and of rows that stay.
  private static let (gone, stays) = ("WAS-DELETED-", "STAYS-HERE-")

  private func connection(_ path: String) throws -> Connection {
    let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute("PRAGMA secure_delete = OFF; PRAGMA busy_timeout = 1000")
    return connection
  }

  /// Creates a database with tables of all kinds, in which rows were deleted and changed in random
  /// order.
  private func fill(
    _ path: String, pageSize: Int, using random: inout SplitMix64
  ) throws {
    let connection = try connection(path)
    _ = try connection.text("PRAGMA page_size = \(pageSize)")
    _ = try connection.text("PRAGMA journal_mode = WAL")
    try connection.execute(
      """
      CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT) STRICT;
      CREATE INDEX by_text ON texts (text);
      CREATE TABLE keyed (key TEXT PRIMARY KEY, other TEXT) STRICT, WITHOUT ROWID;
      CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT;
      """)
    for round in 0..<400 {
      let key = Int.random(in: 0..<1_000_000_000, using: &random)
      let isKept = round % 3 == 0
      let text =
        (isKept ? Self.stays : Self.gone)
        + String(repeating: "\(round)-", count: .random(in: 0...150, using: &random))
      let bytes = String(repeating: text, count: .random(in: 1...20, using: &random))
      try connection.execute(
        """
        INSERT OR REPLACE INTO texts VALUES (\(key), '\(text)');
        INSERT OR REPLACE INTO keyed VALUES ('\(text)\(key)', '\(key)');
        INSERT OR REPLACE INTO blobs VALUES (\(key), CAST('\(bytes)' AS BLOB));
        """)
    }
    try connection.execute(
      """
      DELETE FROM texts WHERE text LIKE '\(Self.gone)%';
      DELETE FROM keyed WHERE key LIKE '\(Self.gone)%';
      DELETE FROM blobs WHERE CAST(bytes AS TEXT) LIKE '\(Self.gone)%';
      """)
    #expect(try connection.truncateLog())
  }

  private func rows(_ connection: Connection) throws -> [String] {
    let select = try Statement(
      """
      SELECT id || text FROM texts UNION ALL SELECT key || other FROM keyed
      UNION ALL SELECT id || hex(bytes) FROM blobs
      """, on: connection)
    var rows: [String] = []
    while try select.step() { rows.append(select.text(at: 0) ?? "") }
    return rows
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func clear(_ connection: Connection) throws -> Bool {
    try connection.execute("BEGIN IMMEDIATE")
    let isEmpty = try connection.hasEmptyLog()
    let isClear = try connection.clearUnusedBytes()
    try connection.execute("ROLLBACK")
    return isEmpty && isClear
  }

  /// Two threads visit a level of a tree that has as many pages.
  @Test func `a file of thousands of pages is cleared too`() throws {
    let path = folder.file("s.sqlite")
    let connection = try connection(path)
    _ = try connection.text("PRAGMA page_size = 512")
    _ = try connection.text("PRAGMA journal_mode = WAL")
    try connection.execute(
      """
      CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT) STRICT;
      CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT;
      CREATE TABLE keyed (key TEXT PRIMARY KEY, other TEXT) STRICT, WITHOUT ROWID;
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
      INSERT INTO texts SELECT n, iif(n % 3, '\(Self.gone)', '\(Self.stays)') || hex(zeroblob(40))
      FROM numbers;
      INSERT INTO blobs SELECT id, CAST(replace(hex(zeroblob(60)), '00', text) AS BLOB) FROM texts
      WHERE id % 50 < 2;
      INSERT INTO keyed SELECT text || id, id FROM texts;
      DELETE FROM texts WHERE text LIKE '\(Self.gone)%';
      DELETE FROM keyed WHERE key LIKE '\(Self.gone)%';
      DELETE FROM blobs WHERE id % 3;
      """)
    #expect(try connection.truncateLog())
    let before = try (rows: rows(connection), bytes: bytes(path))
    #expect(before.bytes.count > 512 * 4_000, "\(before.bytes.count) bytes")
    #expect(before.bytes.range(of: Data(Self.gone.utf8)) != nil, "there is something to clear")
    #expect(try clear(connection))
    let cleared = try bytes(path)
    #expect(cleared.range(of: Data(Self.gone.utf8)) == nil)
    #expect(cleared.count == before.bytes.count)
    let other = try self.connection(path)
    #expect(try other.text("PRAGMA integrity_check") == "ok")
    #expect(try rows(other) == before.rows)
    #expect(before.rows.count > 4_000)

    // Two tables with the same pages are refused: the root of the second is that of the first.
    let roots = try ["texts", "blobs"].map { name in
      Int(try other.integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'") ?? 0)
    }
    var damaged = before.bytes
    let page = damaged.subdata(in: 512 * (roots[0] - 1)..<512 * roots[0])
    damaged.replaceSubrange(512 * (roots[1] - 1)..<512 * roots[1], with: page)
    let copy = folder.file("copy.sqlite")
    try damaged.write(to: URL(fileURLWithPath: copy))
    #expect(try !clear(self.connection(copy)))
    #expect(try bytes(copy) == damaged)

    // So is a leaf of no kind among thousands. Leaves of tables begin with the byte 13; free pages
    // are clear now.
    damaged = cleared
    let leaf = try #require((1_000..<damaged.count / 512).first { damaged[512 * $0] == 13 })
    damaged[512 * leaf] = 14
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try damaged.write(to: URL(fileURLWithPath: copy))
    #expect(try !clear(self.connection(copy)))
    #expect(try bytes(copy) == damaged)
  }

  @Test(arguments: Seeds.sample(6))
  func `clearing removes deleted data and keeps all rows`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let path = folder.file("s.sqlite")
    try fill(
      path, pageSize: [512, 1_024, 4_096, 65_536, 4_096, 8_192][Int(seed - 1)],
      using: &random)
    let connection = try connection(path)
    let before = try (rows: rows(connection), size: bytes(path).count)
    #expect(try bytes(path).range(of: Data(Self.gone.utf8)) != nil, "there is something to clear")
    #expect(try clear(connection))
    #expect(try bytes(path).range(of: Data(Self.gone.utf8)) == nil)
    #expect(try bytes(path).count == before.size)
    #expect(try rows(connection) == before.rows)
    #expect(before.rows.contains { $0.contains(Self.stays) })
    let other = try self.connection(path)
    #expect(try other.text("PRAGMA integrity_check") == "ok")
    #expect(try rows(other) == before.rows)
    // The second time there is nothing to clear.
    let cleared = try bytes(path)
    #expect(try clear(connection))
    #expect(try bytes(path) == cleared)
  }

  @Test
  func `a damaged file does not cause a trap, and is left unchanged if it is refused`() throws {
    var random = SplitMix64(seed: 9)
    let (path, copy) = (folder.file("s.sqlite"), folder.file("copy.sqlite"))
    try fill(path, pageSize: 1_024, using: &random)
    let whole = try bytes(path)
    var (refused, cleared) = (0, 0)
    for _ in 0..<400 {
      var damaged = whole
      // Page headers, cells and free pages, but not the first page, which SQLite reads first.
      for _ in 0..<3 {
        let page = Int.random(in: 1..<damaged.count / 1_024, using: &random)
        let offset =
          [0, 1, 3, 5, 8, Int.random(in: 0..<1_024, using: &random)]
          .randomElement(using: &random) ?? 0
        damaged[page * 1_024 + offset] = UInt8.random(in: 0...255, using: &random)
      }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: copy + suffix)
      }
      try damaged.write(to: URL(fileURLWithPath: copy))
      let connection = try connection(copy)
      let before = try? rows(connection)
      try connection.execute("BEGIN IMMEDIATE")
      let isClear = try connection.clearUnusedBytes()
      if isClear { cleared += 1 } else { refused += 1 }
      try connection.execute("ROLLBACK")
      if !isClear { #expect(try bytes(copy) == damaged) }
      let other = try self.connection(copy)
      #expect((try? rows(other)) == before)
    }
    #expect(refused > 100 && cleared > 20, "\(refused) refused, \(cleared) cleared")
  }

  @Test func `a log with a frame is not empty`() throws {
    var random = SplitMix64(seed: 2)
    let path = folder.file("s.sqlite")
    try fill(path, pageSize: 4_096, using: &random)
    let (one, other) = (try connection(path), try connection(path))
    #expect(try one.integer("SELECT count(*) FROM texts") ?? 0 > 0)
    try other.execute("INSERT INTO blobs VALUES (-1, x'00')")
    #expect(try !one.hasEmptyLog())
    #expect(try one.truncateLog() && one.hasEmptyLog())
  }
}
