import CSQLite

/// One use of a prepared statement, which ends with its only owner. Not `Sendable`.
///
/// A statement made from a text is compiled for this use and finalized after it.
/// ``Connection/cached(_:)`` lends a compiled one, and resets it and takes it back after the use.
/// The connection must stay open meanwhile.
///
/// The use ends at the latest with the scope of its owner. Until then, a statement whose rows were
/// not all read keeps its read transaction open. If that would block a later step in the same
/// scope, such as a COMMIT, call ``reset()`` first.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite. Texts and blobs are copied when
/// bound; ``run()`` and ``reset()`` clear all bindings.
package struct Statement: ~Copyable {
  private let prepared: PreparedStatement
  /// The connection to the database that it reads.
  package let connection: Connection

  /// Compiles the first statement of `sql`.
  ///
  /// - Throws: ``DatabaseError`` if SQLite rejects the text.
  package init(_ sql: String, on connection: Connection) throws(DatabaseError) {
    self.init(using: try PreparedStatement(sql, on: connection), of: connection)
  }

  /// Uses a compiled statement.
  ///
  /// - Precondition: it is not in use.
  init(using prepared: PreparedStatement, of connection: Connection) {
    prepared.beginUse()
    self.prepared = prepared
    self.connection = connection
  }

  deinit { prepared.endUse() }

  /// SQLite's handle.
  package var handle: OpaquePointer { prepared.handle }
  private var sql: String { String(cString: sqlite3_sql(handle)) }

  /// Advances to the next row; returns `false` after the last one.
  package func step() throws(DatabaseError) -> Bool {
    try connection.checkTransaction()
    connection.stepBudget.restart()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.error(code, sql: sql)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs to the end, ignoring rows, and resets.
  package func run() throws(DatabaseError) {
    while try step() {}
    reset()
  }

  /// Runs to the end, and checks the number of rows changed, so that everything reported as stored
  /// is stored.
  ///
  /// - Throws: ``DatabaseError/sqlite(path:cause:)`` if fewer or more rows changed.
  package func run(changing count: Int) throws(DatabaseError) {
    try run()
    let changed = connection.changedRows
    guard changed == count else {
      let message =
        "\(changed) rows were stored instead of \(count); nothing was kept"
      throw .sqlite(
        path: connection.path,
        cause: SQLiteFailure(extendedCode: SQLITE_CONSTRAINT, message: message, sql: sql))
    }
  }

  /// Releases the rows, with their locks, and the bindings.
  package func reset() { prepared.reset() }

  /// Binds an integer, or NULL.
  package func bind(_ value: Int64?, at index: Int32) {
    if let value {
      sqlite3_bind_int64(handle, index, value)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Binds a number, or NULL.
  package func bind(_ value: Double?, at index: Int32) {
    if let value {
      sqlite3_bind_double(handle, index, value)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Binds a text, or NULL.
  package func bind(_ value: String?, at index: Int32) {
    guard var value else {
      sqlite3_bind_null(handle, index)
      return
    }
    value.withUTF8 { bytes in
      guard let place = prepared.room(forTextBytes: bytes.count) else {
        // Sound: SQLite copies the bytes during the call.
        _ = bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text(
            handle, index, characters.baseAddress, Int32(characters.count), roqua_sqlite_transient()
          )
        }
        return
      }
      // A non-null address even for an empty text: SQLite would treat a null address as NULL.
      if let base = bytes.baseAddress { place.copyMemory(from: base, byteCount: bytes.count) }
      // Sound: SQLite does not copy this text, which stays in `prepared` until its bindings are
      // cleared.
      sqlite3_bind_text(
        handle, index, place.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
    }
  }

  /// Binds bytes; an empty array is an empty blob, not NULL.
  package func bind(_ bytes: [UInt8], at index: Int32) {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, !buffer.isEmpty else {
        sqlite3_bind_zeroblob(handle, index, 0)
        return
      }
      sqlite3_bind_blob64(handle, index, base, UInt64(buffer.count), roqua_sqlite_transient())
    }
  }

  /// Returns the integer in a column; NULL reads as 0.
  package func int64(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  /// Returns the integer in a column as an `Int`; NULL reads as 0.
  package func int(at column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
  /// Returns the integer in a column; nil for NULL.
  package func optionalInt64(at column: Int32) -> Int64? {
    isNull(at: column) ? nil : int64(at: column)
  }
  /// Returns the number in a column; NULL reads as 0.
  package func double(at column: Int32) -> Double { sqlite3_column_double(handle, column) }
  /// Returns the number in a column; nil for NULL.
  package func optionalDouble(at column: Int32) -> Double? {
    isNull(at: column) ? nil : double(at: column)
  }
  /// Returns SQLite's code for the type of the value in a column.
  package func type(at column: Int32) -> Int32 { sqlite3_column_type(handle, column) }
  /// Returns whether a column is NULL.
  package func isNull(at column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Returns the text in a column; nil for NULL. Invalid UTF-8 is repaired.
  package func text(at column: Int32) -> String? {
    // Sound: the text has `count` bytes, and is copied before the next step.
    guard let characters = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
  }

  /// Returns the bytes of the text in a column, which may be invalid UTF-8; empty for NULL.
  package func textBytes(at column: Int32) -> [UInt8] {
    // Sound: the text has the number of bytes that SQLite reports, and is copied before the next
    // step.
    guard let characters = sqlite3_column_text(handle, column) else { return [] }
    return Array(
      UnsafeBufferPointer(start: characters, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The bytes of the text in a column, which may be invalid UTF-8 and exist only during `body`;
  /// empty for NULL.
  ///
  /// Sound: SQLite keeps the text until the statement steps or is reset, which no body does. The
  /// text is asked for before its length, as SQLite demands: it may have to be converted.
  package func withTextBytes<T>(
    at column: Int32, _ body: (UnsafeRawBufferPointer) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    let address = UnsafeRawPointer(sqlite3_column_text(handle, column))
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
  }

  /// The bytes in a column, only valid during `body`; empty for NULL.
  ///
  /// Sound: SQLite keeps the bytes until the statement steps or is reset, which no body does.
  package func withBytes<T>(
    at column: Int32, _ body: (UnsafeRawBufferPointer) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    let address = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
  }

  /// Returns a copy of the bytes in a column; empty for NULL.
  package func bytes(at column: Int32) throws(DatabaseError) -> [UInt8] {
    try withBytes(at: column) { Array($0) }
  }
}
