import CSQLite

/// A compiled SQL text, finalized when it is released. Not `Sendable`.
///
/// One ``Statement`` at a time uses it; a connection keeps it between two uses.
final class PreparedStatement {
  /// SQLite's handle.
  let handle: OpaquePointer
  /// Whether a ``Statement`` is using it.
  ///
  /// Unchecked: it is read and written as a whole, on the one thread that has the connection.
  @exclusivity(unchecked) private(set) var isInUse = false
  /// Memory for bound texts, one after the other: a row may have ten, and SQLite would allocate
  /// each.
  ///
  /// Sound: allocated in `init`, and freed in `deinit` after the statement that may point to it.
  private let texts: UnsafeMutableRawPointer
  private var textBytes = 0
  private static let textCapacity = 1_024

  /// Compiles the first statement of `sql`.
  ///
  /// - Throws: ``DatabaseError`` if SQLite rejects the text.
  init(_ sql: String, on connection: Connection) throws(DatabaseError) {
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    // The text is only white space or a comment.
    guard let handle else { throw connection.error(SQLITE_MISUSE, sql: sql) }
    self.handle = handle
    // Must come last: if an initializer throws, `deinit` does not run. Sound: freed in `deinit`.
    texts = .allocate(byteCount: Self.textCapacity, alignment: 1)
  }

  deinit {
    sqlite3_finalize(handle)
    texts.deallocate()
  }

  /// Begins a use.
  ///
  /// - Precondition: it is not in use.
  func beginUse() {
    precondition(!isInUse, "a statement has one owner")
    isInUse = true
  }

  /// Ends the use, and clears rows and bindings for the next one.
  func endUse() {
    reset()
    isInUse = false
  }

  /// Releases the rows, with their locks, and the bindings.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    textBytes = 0
  }

  /// Returns memory for a text of `count` bytes, valid until ``reset()``; nil if there is not
  /// enough.
  ///
  /// Sound: the guard keeps all texts within the capacity.
  func room(forTextBytes count: Int) -> UnsafeMutableRawPointer? {
    guard count <= Self.textCapacity - textBytes else { return nil }
    defer { textBytes += count }
    return texts + textBytes
  }
}
