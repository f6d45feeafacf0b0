import CSQLite

/// A text as SQLite compiled it, finalized when nobody keeps it any more. Not `Sendable`.
///
/// Its only user, one at a time, is a ``Statement``; a connection keeps it between two uses.
final class PreparedStatement {
  /// SQLite's handle.
  let handle: OpaquePointer
  /// Whether a ``Statement`` uses it now.
  ///
  /// Unchecked: it is read and written as a whole, on the one thread that has the connection.
  @exclusivity(unchecked) private(set) var isInUse = false
  /// Texts that are bound, one after the other: a row of regions has ten, and SQLite would allocate
  /// each.
  ///
  /// Sound: allocated in `init`, and freed in `deinit` after the statement that may point to it.
  private let texts: UnsafeMutableRawPointer
  private var textBytes = 0
  private static let textCapacity = 1_024

  /// Compiles `sql`, the first statement of it.
  ///
  /// - Throws: ``DatabaseError`` where SQLite rejects the text.
  init(_ sql: String, on connection: Connection) throws(DatabaseError) {
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    // Only white space or a comment.
    guard let handle else { throw connection.error(SQLITE_MISUSE, sql: sql) }
    self.handle = handle
    // Last: where an initialiser throws, nobody deallocates.
    // Sound: freed in `deinit`.
    texts = .allocate(byteCount: Self.textCapacity, alignment: 1)
  }

  deinit {
    sqlite3_finalize(handle)
    texts.deallocate()
  }

  /// Begins a use.
  ///
  /// - Precondition: nobody uses it.
  func beginUse() {
    precondition(!isInUse, "a statement has one owner")
    isInUse = true
  }

  /// Ends the use: the next finds no rows and no bindings.
  func endUse() {
    reset()
    isInUse = false
  }

  /// Gives up the rows, with their locks, and the bindings.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    textBytes = 0
  }

  /// Where a text of `count` bytes may lie until ``reset()``; nil where there is no room for it.
  ///
  /// Sound: the guard keeps all texts within the capacity.
  func room(forTextBytes count: Int) -> UnsafeMutableRawPointer? {
    guard count <= Self.textCapacity - textBytes else { return nil }
    defer { textBytes += count }
    return texts + textBytes
  }
}
