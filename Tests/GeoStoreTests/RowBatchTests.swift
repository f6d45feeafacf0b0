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
  func `rows arrive as they were appended`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let batch = try connection.rowBatch()
    try connection.execute("CREATE TABLE t (i, r, s, time, hash)")
    var expected: [String] = []
    var milliseconds: Int64 = 0
    for _ in 0..<3 {
      batch.begin(columns: 5)
      for _ in 0..<Int.random(in: 1...500, using: &random) {
        let integer =
          Bool.random(using: &random) ? Int64.random(in: .min ... .max, using: &random) : nil
        let real = Bool.random(using: &random) ? Double.random(in: -180...180, using: &random) : nil
        let text =
          Bool.random(using: &random)
          ? String(repeating: "Ünîcødé ", count: Int.random(in: 0...40, using: &random)) : nil
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break  // the same time again
        case 1: milliseconds = .random(in: -4_000_000_000_000...4_000_000_000_000, using: &random)
        case 2: milliseconds += .random(in: -90_000...90_000, using: &random) * 1_000
        default: milliseconds += .random(in: -90_000...90_000, using: &random)
        }
        let time =
          Bool.random(using: &random) ? Timestamp(millisecondsSince1970: milliseconds) : nil
        let hash = Geohash(Coordinate.random(using: &random))
        batch.append(integer)
        batch.append(real)
        batch.append(text)
        batch.append(time)
        batch.append(hash)
        expected.append(
          "\(integer.map(String.init) ?? "-")|\(real.map { String($0.bitPattern) } ?? "-")|"
            + "\(text ?? "-")|\(time?.iso8601 ?? "-")|\(hash)")
      }
      try Statement(
        "INSERT INTO t SELECT c0, c1, c2, c3, c4 FROM \(RowBatch.tableName)", on: connection
      )
      .run()
    }
    let select = try Statement("SELECT i, r, s, time, hash FROM t ORDER BY rowid", on: connection)
    var found: [String] = []
    while try select.step() {
      let integer = select.optionalInt64(at: 0).map(String.init) ?? "-"
      let real = select.optionalDouble(at: 1).map { String($0.bitPattern) } ?? "-"
      found.append(
        "\(integer)|\(real)|\(select.text(at: 2) ?? "-")|\(select.text(at: 3) ?? "-")|"
          + "\(select.text(at: 4) ?? "-")"
      )
    }
    #expect(found == expected)
  }

  @Test func `columns beyond those of the rows are NULL, and a full batch has no room`() throws {
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

  @Test func `the table of rows is on its connection only and never in the file`() throws {
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
