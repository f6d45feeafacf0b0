import CSQLite
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct RowBatchTests {
  private func connection(_ folder: borrowing TemporaryFolder) throws -> Connection {
    try Connection(
      path: folder.file("rows.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
  }

  @Test(arguments: Seeds.sample(20))
  func `rows are read as they were appended`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let batch = try connection.rowBatch()
    try connection.execute("CREATE TABLE t (i, r)")
    var expected: [String] = []
    for _ in 0..<3 {
      batch.begin(columns: 2)
      for _ in 0..<Int.random(in: 1...500, using: &random) {
        let integer =
          Bool.random(using: &random) ? Int64.random(in: .min ... .max, using: &random) : nil
        let real = Bool.random(using: &random) ? Double.random(in: -180...180, using: &random) : nil
        batch.append(integer)
        batch.append(real)
        expected.append(
          "\(integer.map(String.init) ?? "-")|\(real.map { String($0.bitPattern) } ?? "-")")
      }
      try Statement(
        "INSERT INTO t SELECT c0, c1 FROM \(RowBatch.tableName)", on: connection
      )
      .run()
    }
    let select = try Statement("SELECT i, r FROM t ORDER BY rowid", on: connection)
    var found: [String] = []
    while try select.step() {
      let integer = select.optionalInt64(at: 0).map(String.init) ?? "-"
      let real = select.optionalDouble(at: 1).map { String($0.bitPattern) } ?? "-"
      found.append("\(integer)|\(real)")
    }
    #expect(found == expected)
  }

  @Test(arguments: Seeds.sample(20))
  func `texts and blobs are read as they were appended`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let batch = try connection.rowBatch()
    try connection.execute("CREATE TABLE t (a TEXT, b BLOB, c TEXT)")
    var expected: [String] = []
    for _ in 0..<3 {
      batch.begin(columns: 3)
      #expect(batch.byteCount == 0)
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        let count = [0, 1, 20, 5_000].randomElement(using: &random) ?? 0
        let blob = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let text = String(repeating: "é", count: count)
        batch.append(text: text)
        batch.append(blob: blob)
        Array("x\(count)".utf8).withUnsafeBytes { batch.append(utf8: $0) }
        let hex = blob.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        expected.append("\(text)|\(hex.joined())|x\(count)")
      }
      try connection.run("INSERT INTO t SELECT c0, c1, c2 FROM \(RowBatch.tableName)")
    }
    let select = try Statement("SELECT a || '|' || hex(b) || '|' || c FROM t", on: connection)
    var found: [String] = []
    while try select.step() { found.append(select.text(at: 0) ?? "NULL") }
    #expect(found == expected)
  }

  @Test func `extra columns are NULL, and a full batch has no room`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let batch = try connection.rowBatch()
    batch.begin(columns: 2)
    batch.append(Int64(1))
    batch.append(Int64(2))
    #expect(batch.rowCount == 1)
    #expect(try connection.integer("SELECT c2 IS NULL FROM \(RowBatch.tableName)") == 1)
    while batch.hasRoom {
      batch.append(Int64(1))
      batch.append(Int64(2))
    }
    #expect(batch.rowCount == 4_096)
    #expect(try connection.integer("SELECT sum(c0 + c1) FROM \(RowBatch.tableName)") == 3 * 4_096)
    batch.begin(columns: 1)
    #expect(try connection.integer("SELECT count(*) FROM \(RowBatch.tableName)") == 0)
  }

  @Test func `the table of a row batch exists only on its connection, never in the file`() throws {
    let folder = try TemporaryFolder()
    let first = try connection(folder)
    _ = try first.rowBatch()
    try first.execute("CREATE TABLE t (a)")
    #expect(try first.integer("SELECT count(*) FROM sqlite_schema") == 1)
    let second = try connection(folder)
    #expect(throws: DatabaseError.self) {
      try second.integer("SELECT count(*) FROM \(RowBatch.tableName)")
    }
    #expect(throws: DatabaseError.self) {
      try first.execute("CREATE VIRTUAL TABLE v USING \(RowBatch.tableName)")
    }
    #expect(throws: DatabaseError.self) {
      try first.execute("INSERT INTO \(RowBatch.tableName) (c0) VALUES (1)")
    }
  }
}
