import CSQLite
import CSQLiteCalls
import RoquaSQL
import TestSupport
import Testing

@testable import SQLiteLayer

/// An empty database that is not a store, with Roqua's functions.
final class MemoryDatabase {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(
      path: folder.file("empty.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    _ = roqua_sqlite_set_option(connection.handle, SQLITE_DBCONFIG_ENABLE_VIEW, 1)
    roqua_sqlite_use_linked()
    try #require(SQLFunctions.add(to: connection.handle) == SQLITE_OK)
  }

  func execute(_ sql: String) throws { try connection.execute(sql) }
}
