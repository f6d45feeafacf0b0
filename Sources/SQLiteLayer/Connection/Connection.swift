import CSQLite
import Foundation

/// One connection to a database, closed when its last owner lets go. Not `Sendable`: one thread at
/// a time.
///
/// What every statement asks is marked `@exclusivity(unchecked)`: it is read and written as a
/// whole, with no other call in between, so two accesses cannot overlap, and checking that at run
/// time would take a fiftieth of a recorded fix.
package final class Connection {
  /// SQLite's handle.
  package let handle: OpaquePointer
  /// The file, for error messages.
  package let path: String
  /// Statements by their text, lent or not: compiling is the dear part.
  @exclusivity(unchecked) private var cache: [StatementText: PreparedStatement] = [:]
  private var batch: RowBatch?
  /// Stops a statement that runs for too long, or whose task was cancelled.
  package let stepBudget: StepBudget
  /// Bytes of cached pages at which ``trimCache()`` releases them.
  package var cacheLimitBytes = Connection.writerCacheBytes
  /// Whether its owner has begun a transaction and not ended it.
  @exclusivity(unchecked) private var isInTransaction = false
  /// Why SQLite undid that transaction by itself, as it does after a failure of disk or memory; nil
  /// where it did not.
  @exclusivity(unchecked) private var lossOfTransaction: DatabaseError?

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - name: what SQLite opens, where that is not `path`, which stands in messages.
  ///   - fileSystem: the name of SQLite's file system (VFS); nil for the usual one.
  /// - Throws: ``DatabaseError`` where SQLite cannot open it. SQLite reads nothing yet, so a file
  ///   that is no database is noticed at the first statement.
  package init(
    path: String, flags: Int32, name: String? = nil, fileSystem: String? = nil
  ) throws(DatabaseError) {
    var handle: OpaquePointer?
    // `:memory:` and `file:x` are names like any other here; SQLite may be built to take the second
    // for a URI.
    let isSpecial = path.hasPrefix(":") || path.hasPrefix("file:")
    let name = name ?? (isSpecial ? "./" + path : path)
    let code = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
    guard let handle else {
      // The only case in which SQLite gives no handle.
      throw .cannotOpen(path: path, reason: "out of memory")
    }
    guard code == SQLITE_OK else {
      let cause = SQLiteFailure(
        extendedCode: code, message: String(cString: sqlite3_errmsg(handle)), sql: nil)
      let isFull = Self.meansNoSpace(sqlite3_system_errno(handle))
      sqlite3_close_v2(handle)
      throw Self.error(cause, isFull: isFull, path: path)
    }
    self.handle = handle
    self.path = path
    stepBudget = StepBudget(path: path)
    let hardened = Self.harden(handle)
    guard hardened == SQLITE_OK else { throw error(hardened, sql: nil) }
    stepBudget.watch(handle)
  }

  deinit {
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_close_v2(handle)  // v2: waits for the cache's statements, which are finalized later
  }

  /// The error for a code that a call on this connection returned. Not every call leaves its error
  /// with the connection; where it did not, the text that the connection has is of another call.
  package func error(_ code: Int32, sql: String?) -> DatabaseError {
    let isLast = sqlite3_extended_errcode(handle) == code
    let systemError = isLast ? sqlite3_system_errno(handle) : Self.lastSystemError(handle)
    let message = String(cString: isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
    let cause = SQLiteFailure(extendedCode: code, message: message, sql: sql)
    let error =
      code & 0xFF == SQLITE_INTERRUPT
      ? interruption(cause)
      : Self.error(cause, isFull: Self.meansNoSpace(systemError), path: path)
    if isInTransaction, lossOfTransaction == nil, sqlite3_get_autocommit(handle) != 0 {
      lossOfTransaction = error
    }
    return error
  }

  /// The error for a statement that the step budget stopped.
  private func interruption(_ cause: SQLiteFailure) -> DatabaseError {
    stepBudget.wasCancelled
      ? .interrupted(path: path)
      : .damaged(
        path: path, detail: "a statement ran longer than a file of this size can need", cause: cause
      )
  }

  /// Begins a transaction that nothing outlives: where SQLite gives it up by itself, every
  /// statement fails with the reason until ``endTransaction()``, instead of being stored alone.
  package func beginTransaction() throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    isInTransaction = true
  }

  /// Call when the transaction was committed, and before it is rolled back.
  package func endTransaction() {
    isInTransaction = false
    lossOfTransaction = nil
  }

  /// - Throws: why the present transaction is none any more.
  @inline(__always)
  package func checkTransaction() throws(DatabaseError) {
    if isInTransaction, let lossOfTransaction { throw lossOfTransaction }
  }

  /// A file that cannot be opened has many reasons: there only the system's own error counts.
  private static func error(
    _ cause: SQLiteFailure, isFull: Bool, path: String
  ) -> DatabaseError {
    DatabaseError(cause, path: path) {
      isFull || cause.extendedCode & 0xFF == SQLITE_IOERR && VolumeSpace.isUsedUp(at: path)
    }
  }

  /// Whether a system's error is that no space, or none of a quota, is left.
  private static func meansNoSpace(_ systemError: Int32) -> Bool {
    [ENOSPC, EDQUOT].contains(systemError)
  }

  /// The system's error that the file system of SQLite met last on this thread: of a call that does
  /// not leave its error with the connection, such as `sqlite3_db_cacheflush`.
  private static func lastSystemError(_ handle: OpaquePointer) -> Int32 {
    var fileSystem: UnsafeMutablePointer<sqlite3_vfs>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_VFS_POINTER, &fileSystem)
    guard code == SQLITE_OK, let fileSystem else { return 0 }
    // Sound: SQLite keeps a file system that a connection uses; no buffer is given to be filled.
    return fileSystem.pointee.xGetLastError?(fileSystem, 0, nil) ?? 0
  }

  /// Runs statements that give no rows, separated by semicolons.
  package func execute(_ sql: String) throws(DatabaseError) {
    try checkTransaction()
    stepBudget.restart()
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Runs one statement that gives no rows, compiled once and kept.
  package func run(_ sql: String) throws(DatabaseError) {
    let statement = try cached(sql)
    try statement.run()
  }

  /// Lends the statement of a text, which is compiled once and kept, to its only user: nobody else
  /// gets it before the use ends. It comes without bindings.
  ///
  /// Who asks for the text meanwhile gets one that is compiled for that use, and not kept.
  package func cached(_ sql: String) throws(DatabaseError) -> Statement {
    let kept = cache[StatementText(sql)]
    if let kept, !kept.isInUse { return Statement(using: kept, of: self) }
    let prepared = try PreparedStatement(sql, on: self)
    if kept == nil { cache[StatementText(sql)] = prepared }
    return Statement(using: prepared, of: self)
  }

  /// The batch that ``RowBatch/tableName`` reads: at most 8192 values, 200 kB. One at a time may
  /// use it, from filling it to running its statement.
  package func rowBatch() throws(DatabaseError) -> RowBatch {
    if let batch { return batch }
    let batch = RowBatch(capacity: 8_192)
    try RowBatchTable.add(batch, to: self)
    self.batch = batch
    return batch
  }

  /// Rows that the last statement changed.
  package var changedRows: Int { Int(sqlite3_changes(handle)) }
  /// Rows that all statements changed so far, those too that were undone; after 2³² it starts
  /// again.
  package var allChangedRows: Int32 { sqlite3_total_changes(handle) }
  /// The number of the row that was inserted last.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Reads one integer, nil where the statement gives no row or NULL.
  package func integer(_ sql: String) throws(DatabaseError) -> Int64? {
    let statement = try cached(sql)
    return try statement.step() ? statement.optionalInt64(at: 0) : nil
  }

  /// Reads one text, nil where the statement gives no row or NULL.
  package func text(_ sql: String) throws(DatabaseError) -> String? {
    let statement = try cached(sql)
    return try statement.step() ? statement.text(at: 0) : nil
  }
}

/// A statement's text as what it is found by. Only its length is hashed: a connection has some
/// fifty texts of hundreds of characters, and two that are the same literal compare by their
/// address.
private struct StatementText: Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
}
