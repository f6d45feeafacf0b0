import CSQLite
import Foundation

/// A failed benchmark, described in a sentence.
package struct BenchmarkError: Error, CustomStringConvertible {
  /// The sentence.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A database for the competitors: SQLite as an expert would use it.
///
/// Sound use of the handle: it is closed once, by `close()`, and statements keep this object alive.
final class CompetitorDatabase {
  private(set) var handle: OpaquePointer?

  /// Opens or makes a database, tuned as a store is.
  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw BenchmarkError("\(path) cannot be opened.")
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

  /// Closes it now; it must not be used afterwards.
  func close() {
    sqlite3_close_v2(handle)
    handle = nil
    whenClosed()
    whenClosed = {}
  }

  deinit { close() }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func prepare(_ sql: String) throws -> CompetitorStatement {
    try CompetitorStatement(sql, on: self)
  }

  /// The first number of the first row; 0 if there is no row.
  func integer(_ sql: String) throws -> Int {
    let statement = try prepare(sql)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  fileprivate func failure(_ sql: String) -> BenchmarkError {
    BenchmarkError("\(String(cString: sqlite3_errmsg(handle))) in: \(sql)")
  }
}

/// A prepared statement of a competitor.
///
/// Sound use of the handle: it is finalized once, in `deinit`, before the database that it keeps
/// alive.
final class CompetitorStatement {
  private let database: CompetitorDatabase
  private let handle: OpaquePointer

  fileprivate init(_ sql: String, on database: CompetitorDatabase) throws {
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
    // Sound: the text lives until the next step, and has as many bytes as SQLite reports.
    sqlite3_column_text(handle, column).map {
      String(
        decoding: UnsafeBufferPointer(start: $0, count: Int(sqlite3_column_bytes(handle, column))),
        as: UTF8.self)
    }
  }
}
