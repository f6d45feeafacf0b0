import CSQLite

/// Clearing the bytes of the database file that no row uses.
///
/// With `secure_delete` SQLite overwrites what is deleted where it stands. But when a page is full
/// it moves rows to another one, and does not clear the place where they stood; so bytes of rows
/// that were deleted later may still be there.
extension Connection {
  /// Overwrites with zeros all bytes of the file that belong to no row, index entry or page
  /// structure. What the database holds stays as it is, and whoever reads it is not disturbed.
  ///
  /// Only unused bytes are written, so a crash in between does no harm. Nor does a power cut: as
  /// SQLite does, this takes it that the bytes around those that are written stay as they are
  /// (https://www.sqlite.org/psow.html), and refuses a file system of which SQLite does not.
  ///
  /// - Precondition: inside a write transaction that has changed nothing; the write-ahead log is
  ///   empty. Changes after it in the same transaction make other connections read their pages
  ///   anew, rather than write over with old ones.
  /// - Returns: false, with nothing changed, if the file is not as the format says or cannot be
  ///   cleared so (``PageClearing``).
  /// - Complexity: O(pages): each is read once, and written where something has to be cleared.
  package func clearUnusedBytes() throws(DatabaseError) -> Bool {
    // Pages in memory have the old bytes, too. Those of readers go when they see a change.
    sqlite3_db_release_memory(handle)
    let roots = try rootPages()
    guard try overwritesSafely(), var pages = try PageClearing(self),
      try pages.clear(roots: roots)
    else { return false }
    try syncFile()
    return true
  }

  /// The first pages of all tables and indexes, but for the table of the schema.
  private func rootPages() throws(DatabaseError) -> [UInt32] {
    let select = try Statement("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0", on: self)
    var roots: [UInt32] = []
    while try select.step() { roots.append(UInt32(clamping: select.int64(at: 0))) }
    return roots
  }

  /// Whether the write-ahead log has no frame, whoever wrote it.
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
