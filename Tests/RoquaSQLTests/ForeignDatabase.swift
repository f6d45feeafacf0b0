import CSQLite
import Testing

/// A database opened by another program than Roqua, which may write what it likes.
final class ForeignDatabase {
  private let handle: OpaquePointer

  init(path: String) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    self.handle = try #require(handle)
  }

  deinit { sqlite3_close(handle) }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))) in \(sql)")
  }
}
