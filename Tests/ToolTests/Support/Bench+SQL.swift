import CSQLite
import Foundation
import Testing

extension Bench {
  /// Runs SQL on the store without the tool, or on another database, which is created.
  func forge(_ sql: String, at path: String? = nil) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    let flags = SQLITE_OPEN_READWRITE | (path == nil ? 0 : SQLITE_OPEN_CREATE)
    try #require(sqlite3_open_v2(path ?? storePath, &database, flags, nil) == SQLITE_OK)
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(database))) in \(sql)")
  }

  /// The first column of a query's rows.
  func column(_ sql: String) throws -> [String] {
    var (database, statement): (OpaquePointer?, OpaquePointer?)
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    try #require(sqlite3_open_v2(storePath, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    var values: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return values
  }
}

extension Bench {
  /// Runs `body` while another connection has a store open, with an unfinished read.
  func holding(_ path: String, _ body: () throws -> Void) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    try #require(
      sqlite3_exec(database, "BEGIN; SELECT count(*) FROM sources", nil, nil, nil) == SQLITE_OK)
    try body()
  }
}
