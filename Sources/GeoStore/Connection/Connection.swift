import CSQLite

/// One connection to a database, closed when its last owner lets go. Not `Sendable`: one thread at a time.
final class Connection {
  /// SQLite's handle.
  let handle: OpaquePointer
  /// The file, for error messages.
  let path: String
  /// Statements by their text: compiling is the dear part.
  private var cache: [String: Statement] = [:]
  private var batch: RowBatch?
  /// What the present transaction changed of the regions, for those who keep them in memory.
  var regionChanges = RegionChanges()

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - name: what SQLite opens, where that is not `path`, which stands in messages.
  ///   - fileSystem: the name of SQLite's file system (VFS); nil for the usual one.
  /// - Throws: ``StoreError`` where SQLite cannot open it. SQLite reads nothing yet, so a file that is no
  ///   database is noticed at the first statement.
  init(
    path: String, flags: Int32, name: String? = nil, fileSystem: String? = nil
  ) throws(StoreError) {
    var handle: OpaquePointer?
    // `:memory:` is a name like any other here.
    let name = name ?? (path.hasPrefix(":") ? "./" + path : path)
    let code = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
    guard let handle else {
      throw .cannotOpen(path: path, reason: "out of memory")  // the only case in which SQLite gives no handle
    }
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(handle))
      sqlite3_close_v2(handle)
      throw StoreError(code: code, message: message, sql: nil, path: path)
    }
    self.handle = handle
    self.path = path
  }

  deinit { sqlite3_close_v2(handle) }  // v2: waits for statements that are finalised later

  /// The error for a code that a call on this connection returned. Not every call leaves its error with the connection;
  /// where it did not, the text that the connection has is of another call.
  func error(_ code: Int32, sql: String?) -> StoreError {
    let isLast = sqlite3_extended_errcode(handle) == code
    let message = String(cString: isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
    return StoreError(code: code, message: message, sql: sql, path: path)
  }

  /// Runs statements that give no rows, separated by semicolons.
  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// A statement compiled once and kept; it comes back reset and without bindings.
  ///
  /// One text has one statement: do not use it again before the rows of the first use are read.
  func cached(_ sql: String) throws(StoreError) -> Statement {
    if let statement = cache[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(sql, on: self)
    cache[sql] = statement
    return statement
  }

  /// The batch that `roqua_rows` reads: at most 8192 values, 200 kB. One at a time may use it, from filling it to
  /// running its statement.
  func rowBatch() throws(StoreError) -> RowBatch {
    if let batch { return batch }
    let batch = RowBatch(capacity: 8_192)
    try RowBatchTable.add(batch, to: self)
    self.batch = batch
    return batch
  }

  /// Rows that the last statement changed.
  var changedRows: Int { Int(sqlite3_changes(handle)) }
  /// The number of the row that was inserted last.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Reads one integer, nil where the statement gives no row or NULL.
  func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try cached(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.optionalInt64(at: 0) : nil
  }

  /// Reads one text, nil where the statement gives no row or NULL.
  func text(_ sql: String) throws(StoreError) -> String? {
    let statement = try cached(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.text(at: 0) : nil
  }
}
