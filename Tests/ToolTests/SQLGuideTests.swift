import CSQLite
import Foundation
import TestSupport
import Testing

/// docs/sql.md shows the exact results of its queries.
@Suite struct SQLGuideTests {
  /// The queries of the guide, and the rows shown below each.
  private static func examples() throws -> [(sql: String, rows: String)] {
    let guide = try String(contentsOfFile: PackageFolder.path + "/docs/sql.md", encoding: .utf8)
    var examples: [(sql: String, rows: String)] = []
    for match in guide.matches(of: /```sql\n(.*?)```\n\n?```\n(.*?)```/.dotMatchesNewlines()) {
      examples.append((String(match.1), String(match.2)))
    }
    return examples
  }

  @Test func `each query of the guide returns the rows that it shows`() throws {
    let bench = try Bench()
    var process = bench.process(["import", "data/samples"])
    process.folder = PackageFolder.path
    #expect(try process.run().status == 0)
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(
      sqlite3_open_v2(bench.storePath, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    let examples = try Self.examples()
    #expect(examples.count >= 5)
    for (sql, rows) in examples {
      var statement: OpaquePointer?
      try #require(
        sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
        "\(String(cString: sqlite3_errmsg(database))): \(sql)")
      defer { sqlite3_finalize(statement) }
      var lines = ""
      while sqlite3_step(statement) == SQLITE_ROW {
        let values = (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }
        lines += values.joined(separator: "|") + "\n"
      }
      #expect(lines == rows, "\(sql)")
    }
  }
}
