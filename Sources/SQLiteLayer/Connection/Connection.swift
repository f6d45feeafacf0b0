import CSQLite
import Foundation

/// A connection to a database, closed when its last reference is released. Not `Sendable`: only one
/// thread may use it at a time.
///
/// The properties that every statement reads are marked `@exclusivity(unchecked)`: each is read and
/// written as a whole, with no other call in between, so accesses cannot overlap, and checking at
/// run time would take a fiftieth of the time of a small transaction.
package final class Connection {
  /// SQLite's handle.
  package let handle: OpaquePointer
  /// The path of the file, for error messages.
  package let path: String
  /// Compiled statements by their text, in use or not: compiling is the expensive part.
  @exclusivity(unchecked) private var cache: [StatementText: PreparedStatement] = [:]
  private var batch: RowBatch?
  /// Stops a statement that runs for too long, or whose task was canceled.
  package let stepBudget: StepBudget
  private let busyWait = BusyWait()
  /// Size of the page cache in bytes up to which ``trimCache()`` never releases it.
  package var cacheLimitBytes = Connection.writerCacheBytes
  /// Whether the owner has begun a transaction and not ended it.
  @exclusivity(unchecked) private var isInTransaction = false
  /// The reason why SQLite rolled back that transaction on its own, as it does after a failure of
  /// disk or memory; nil if it did not.
  @exclusivity(unchecked) private var lossOfTransaction: DatabaseError?

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - name: the name that SQLite opens, if it differs from `path`, which is used in messages.
  ///   - fileSystem: the name of SQLite's file system (VFS); nil for the default.
  /// - Throws: ``DatabaseError`` if SQLite cannot open it. SQLite reads nothing yet, so a file that
  ///   is not a database is noticed only by the first statement.
  package init(
    path: String, flags: Int32, name: String? = nil, fileSystem: String? = nil
  ) throws(DatabaseError) {
    var handle: OpaquePointer?
    // `:memory:` and `file:x` are ordinary names here; SQLite may be built to treat the second as a
    // URI.
    let isSpecial = path.hasPrefix(":") || path.hasPrefix("file:")
    let name = name ?? (isSpecial ? "./" + path : path)
    let code = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
    guard let handle else {
      // The only case in which SQLite returns no handle.
      throw .cannotOpen(path: path, reason: "out of memory")
    }
    guard code == SQLITE_OK else {
      let cause = SQLiteFailure(
        extendedCode: code, message: String(cString: sqlite3_errmsg(handle)), sql: nil,
        systemError: sqlite3_system_errno(handle))
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

  /// Returns the error for a code that a call on this connection returned. Not every call stores
  /// its error in the connection; if it did not, the connection's message belongs to another call.
  package func error(_ code: Int32, sql: String?) -> DatabaseError {
    let isLast = sqlite3_extended_errcode(handle) == code
    let systemError = isLast ? sqlite3_system_errno(handle) : Self.lastSystemError(handle)
    let message = String(cString: isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
    let cause = SQLiteFailure(
      extendedCode: code, message: message, sql: sql,
      systemError: systemError != 0 ? systemError : Self.lastFileError(handle))
    let error: DatabaseError =
      switch code & 0xFF {
      case SQLITE_INTERRUPT: interruption(cause)
      // The wait for a lock has no other way to say that it was canceled.
      case SQLITE_BUSY where stepBudget.isCancelled?() == true: .interrupted(path: path)
      default: Self.error(cause, isFull: Self.meansNoSpace(systemError), path: path)
      }
    if isInTransaction, lossOfTransaction == nil, sqlite3_get_autocommit(handle) != 0 {
      lossOfTransaction = error
    }
    return error
  }

  /// Returns the error for a statement that the step budget stopped.
  private func interruption(_ cause: SQLiteFailure) -> DatabaseError {
    stepBudget.wasCancelled
      ? .interrupted(path: path)
      : .damaged(
        path: path, detail: "a statement ran longer than a file of this size can need", cause: cause
      )
  }

  /// The time in milliseconds for which a statement waits for another connection's lock.
  package var busyTimeoutMilliseconds: Int64 {
    get { busyWait.limitMilliseconds }
    set { busyWait.setLimit(newValue, on: handle) }
  }

  /// Runs `body`. Its statements fail with ``DatabaseError/interrupted(path:)`` soon after
  /// `isCancelled` returns true, also those that wait for another connection's lock.
  package func stopping<T, Failure: Error>(
    if isCancelled: @escaping () -> Bool, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    stepBudget.isCancelled = isCancelled
    busyWait.watch(handle, unless: isCancelled)
    defer {
      stepBudget.isCancelled = nil
      busyWait.watch(handle, unless: nil)
    }
    return try body()
  }

  /// Begins a transaction. If SQLite rolls it back on its own, every statement fails with the
  /// reason until ``endTransaction()``, instead of being committed separately.
  package func beginTransaction() throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    isInTransaction = true
  }

  /// Marks the end of the transaction. Call it after committing, and before rolling back.
  package func endTransaction() {
    isInTransaction = false
    lossOfTransaction = nil
  }

  /// Checks that SQLite has not rolled back the present transaction on its own.
  ///
  /// - Throws: the reason why it did.
  @inline(__always)
  package func checkTransaction() throws(DatabaseError) {
    if isInTransaction, let lossOfTransaction { throw lossOfTransaction }
  }

  /// Failures to open a file have many causes; for them, only the system error counts.
  private static func error(
    _ cause: SQLiteFailure, isFull: Bool, path: String
  ) -> DatabaseError {
    DatabaseError(cause, path: path) {
      isFull || cause.extendedCode & 0xFF == SQLITE_IOERR && VolumeSpace.isUsedUp(at: path)
    }
  }

  /// Returns whether a system error means that no space is left on the volume or in a quota.
  private static func meansNoSpace(_ systemError: Int32) -> Bool {
    [ENOSPC, EDQUOT].contains(systemError)
  }

  /// Returns the last system error of SQLite's file system on this thread, for calls that do not
  /// store their error in the connection, such as `sqlite3_db_cacheflush`.
  private static func lastSystemError(_ handle: OpaquePointer) -> Int32 {
    var fileSystem: UnsafeMutablePointer<sqlite3_vfs>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_VFS_POINTER, &fileSystem)
    guard code == SQLITE_OK, let fileSystem else { return 0 }
    // Sound: SQLite keeps a file system alive while a connection uses it; no buffer is passed.
    return fileSystem.pointee.xGetLastError?(fileSystem, 0, nil) ?? 0
  }

  /// Returns the last system error of the database's file; 0 if there was none. A failed COMMIT
  /// stores its system error only there.
  private static func lastFileError(_ handle: OpaquePointer) -> Int32 {
    var error: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &error)
    return code == SQLITE_OK ? error : 0
  }

  /// Runs statements that return no rows, separated by semicolons.
  package func execute(_ sql: String) throws(DatabaseError) {
    try checkTransaction()
    stepBudget.restart()
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Runs one statement that returns no rows, compiled once and cached.
  package func run(_ sql: String) throws(DatabaseError) {
    let statement = try cached(sql)
    try statement.run()
  }

  /// Lends the cached statement of a text, compiled once, to a single user until the use ends. It
  /// has no bindings.
  ///
  /// Requesting the same text meanwhile gives a statement compiled for that use, which is not
  /// cached.
  package func cached(_ sql: String) throws(DatabaseError) -> Statement {
    let kept = cache[StatementText(sql)]
    if let kept, !kept.isInUse { return Statement(using: kept, of: self) }
    let prepared = try PreparedStatement(sql, on: self)
    if kept == nil { cache[StatementText(sql)] = prepared }
    return Statement(using: prepared, of: self)
  }

  /// Returns the batch that ``RowBatch/tableName`` reads: at most 8192 values, 200 kB. It can be
  /// used only once at a time, from filling it until its statement has run.
  package func rowBatch() throws(DatabaseError) -> RowBatch {
    if let batch { return batch }
    let batch = RowBatch(capacity: 8_192)
    try RowBatchTable.add(batch, to: self)
    self.batch = batch
    return batch
  }

  /// Number of rows that the last statement changed.
  package var changedRows: Int { Int(sqlite3_changes(handle)) }
  /// Number of rows that all statements have changed so far, including changes that were undone. It
  /// wraps around after 2³².
  package var allChangedRows: Int32 { sqlite3_total_changes(handle) }
  /// The number of the row inserted last.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Reads one integer; nil if the statement returns no row or NULL.
  package func integer(_ sql: String) throws(DatabaseError) -> Int64? {
    let statement = try cached(sql)
    return try statement.step() ? statement.optionalInt64(at: 0) : nil
  }

  /// Reads one text; nil if the statement returns no row or NULL.
  package func text(_ sql: String) throws(DatabaseError) -> String? {
    let statement = try cached(sql)
    return try statement.step() ? statement.text(at: 0) : nil
  }
}

/// A statement's text as a dictionary key. Only its length is hashed: a connection has about fifty
/// texts of hundreds of characters, and two identical literals compare by their address.
private struct StatementText: Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
}
