import CSQLite

/// Clears the bytes of the database file that no row uses.
///
/// With `secure_delete` SQLite overwrites deleted data in place. But when a page is full, SQLite
/// moves rows to another page without clearing their old places, so bytes of rows that were deleted
/// later may remain there.
extension Connection {
  /// Overwrites with zeros all bytes of the file that belong to no row, index entry or page
  /// structure. The contents of the database do not change, and readers are not disturbed.
  ///
  /// Other bytes keep their values, even those that are written together with unused ones, so a
  /// crash in between does no harm. Nor does a power cut: like SQLite, this assumes that each byte
  /// has its old or its new value then (https://www.sqlite.org/atomiccommit.html, section 2), and
  /// that bytes adjacent to those written keep theirs (https://www.sqlite.org/psow.html). It
  /// refuses a file system for which SQLite does not assume so.
  ///
  /// - Precondition: the call is inside a write transaction that has changed nothing, and the
  ///   write-ahead log is empty. Later changes in the same transaction make other connections read
  ///   their pages again rather than overwrite the file with old ones.
  /// - Returns: false, with nothing changed, if the file does not follow the format or cannot be
  ///   cleared this way (``PageClearing``).
  /// - Complexity: O(pages): each is visited once; those that have bytes to clear, and a few
  ///   between them, are read again and written.
  package func clearUnusedBytes() throws(DatabaseError) -> Bool {
    // Pages in memory contain the old bytes too. Readers drop theirs when they see a change.
    sqlite3_db_release_memory(handle)
    let roots = try rootPages()
    guard try overwritesSafely(), var pages = try PageClearing(self),
      try pages.clear(roots: roots)
    else { return false }
    try syncFile()
    return true
  }

  /// Returns the root pages of all tables and indexes, except the schema table.
  private func rootPages() throws(DatabaseError) -> [UInt32] {
    let select = try Statement("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0", on: self)
    var roots: [UInt32] = []
    while try select.step() { roots.append(UInt32(clamping: select.int64(at: 0))) }
    return roots
  }

  /// Returns whether the write-ahead log has no frames, regardless of who wrote it.
  package func hasEmptyLog() throws(DatabaseError) -> Bool {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &pointer)
    guard code == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods else {
      return false
    }
    var size: sqlite3_int64 = 0
    guard methods.pointee.xFileSize?(pointer, &size) == SQLITE_OK else { return false }
    return size == 0
  }
}
