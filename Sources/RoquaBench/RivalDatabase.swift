import CSQLite
import Foundation

/// What went wrong in a benchmark, in a sentence.
public struct BenchmarkError: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A database of its own for the ways that Roqua is compared with: SQLite as an expert would use it, and no more.
final class RivalDatabase {
  let handle: OpaquePointer

  /// Opens or makes a database, tuned as a store is.
  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw BenchmarkError("\(path): cannot be opened")
    }
    self.handle = handle
    try execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = 10000;
      PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 1073741824;
      """)
  }

  /// Called once the database is closed.
  var whenClosed: () -> Void = {}

  deinit {
    sqlite3_close_v2(handle)
    whenClosed()
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func prepare(_ sql: String) throws -> RivalStatement { try RivalStatement(sql, on: self) }

  /// The first number of the first row; 0 where there is none.
  func integer(_ sql: String) throws -> Int {
    let statement = try prepare(sql)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  fileprivate func failure(_ sql: String) -> BenchmarkError {
    BenchmarkError("\(String(cString: sqlite3_errmsg(handle))) in: \(sql)")
  }
}

/// A prepared statement of a rival.
final class RivalStatement {
  private let database: RivalDatabase
  private let handle: OpaquePointer

  fileprivate init(_ sql: String, on database: RivalDatabase) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw database.failure(sql) }
    self.database = database
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }
  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
  func bind(_ value: String, at index: Int32) {
    sqlite3_bind_text(handle, index, value, -1, roqua_sqlite_transient())
  }

  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure(String(cString: sqlite3_sql(handle)))
    }
  }

  func reset() { sqlite3_reset(handle) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
  func text(_ column: Int32) -> String? {
    sqlite3_column_text(handle, column).map {
      String(
        decoding: UnsafeBufferPointer(start: $0, count: Int(sqlite3_column_bytes(handle, column))),
        as: UTF8.self)
    }
  }
}
