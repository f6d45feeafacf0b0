import CSQLiteCalls

/// A query that a function runs on the connection that calls it. Not `Sendable`.
///
/// - Sound: the statement is finalized in `deinit`, before the connection closes: a query lives
///   within one call, or in a cursor, which SQLite closes first.
final class TableQuery {
  private let statement: OpaquePointer
  private let database: OpaquePointer

  /// Compiles a query.
  ///
  /// - Throws: a failure with SQLite's message.
  init(_ sql: String, on database: OpaquePointer) throws(FunctionFailure) {
    var statement: OpaquePointer?
    let code = roqua_prepare(database, sql, &statement)
    guard code == SQLITE_OK, let statement else {
      throw FunctionFailure(String(cString: roqua_message(database)), code: code)
    }
    self.statement = statement
    self.database = database
  }

  deinit { roqua_finalize(statement) }

  /// Binds the first parameter.
  func bind(_ value: Int64) { _ = roqua_bind_int64(statement, 1, value) }

  /// Advances to the next row; returns false after the last one.
  func step() throws(FunctionFailure) -> Bool {
    switch roqua_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code where code & 0xFF == SQLITE_INTERRUPT: throw FunctionFailure(code: code)
    case let code: throw FunctionFailure(String(cString: roqua_message(database)), code: code)
    }
  }

  /// The integer in a column.
  func int64(at column: Int32) -> Int64 { roqua_column_int64(statement, column) }

  /// The number in a column.
  func double(at column: Int32) -> Double { roqua_column_double(statement, column) }

  /// Calls `body` with the bytes in a column, which are valid only during the call.
  func withBytes<T, Failure: Error>(
    at column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
  ) throws(Failure) -> T {
    // Sound: the address is valid until the next step or conversion, and neither happens during the
    // call. The address comes first: the count is that of the bytes it points to.
    let address = roqua_column_blob(statement, column)
    let count = Int(roqua_column_bytes(statement, column))
    return try body(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
  }
}
