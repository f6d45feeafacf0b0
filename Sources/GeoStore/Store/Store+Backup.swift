import CSQLite
import SQLiteLayer

extension Store {
  /// Pages that are copied before ``backup(to:replacing:progress:)`` tells how far it is: 1 MiB of
  /// 4 KiB pages.
  private static let backupStepPages: Int32 = 256

  /// Copies the store, as it is at this moment, into a file of its own, by SQLite's online backup.
  /// Imports may go on meanwhile, in this process and in others.
  ///
  /// The pages are copied in steps, all of them inside one read transaction. SQLite's backup starts
  /// anew where another connection changes the database between two steps, so a busy store would
  /// never be done; inside a transaction it sees one unchanging state. The price is that the
  /// write-ahead log cannot be emptied until it ends.
  ///
  /// The file appears under its name when it is whole and on the disk, and is its owner's alone.
  ///
  /// - Parameters:
  ///   - target: Where to. A file that is there is left as it is, unless `isReplacing`.
  ///   - isReplacing: Whether a file that is there may be replaced.
  ///   - progress: Called after each step with the pages that are copied, and all.
  /// - Throws: `DatabaseError.fileExists(path:)`, `DatabaseError.cannotWrite(path:reason:)`,
  ///   and what reading the store throws.
  /// - Returns: the bytes of the file.
  @discardableResult
  package func backup(
    to target: String, replacing isReplacing: Bool = false,
    progress: (_ pages: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(DatabaseError) -> Int {
    let file = try DatabaseOutput(path: target, keeping: files, replacing: isReplacing)
    guard let partialPath = file.partialPath else {
      throw .cannotWrite(path: target, reason: "it is not a file")
    }
    let bytes = try withReader { (source) throws(DatabaseError) in
      let pages = try copy(source, to: partialPath, target: target, progress: progress)
      return pages * Int(try source.integer("PRAGMA page_size") ?? 0)
    }
    try file.finish()
    return bytes
  }

  /// Copies all pages; returns how many there are.
  private func copy(
    _ source: Connection, to partialPath: String, target: String, progress: (Int, Int) -> Void
  ) throws(DatabaseError) -> Int {
    // Without locks, since the file is this process's alone: it is locked already, in a way that is
    // one with SQLite's on some systems.
    let copy = try Connection(
      path: partialPath, flags: SQLITE_OPEN_READWRITE, fileSystem: options.fileSystem ?? "unix-none"
    )
    // Should it fail, the file goes; it is brought to the disk when it is whole. A hardened
    // connection has a journal; of a new file nothing is in it.
    _ = try copy.text("PRAGMA journal_mode = MEMORY")
    try copy.execute("PRAGMA synchronous = OFF")
    guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
      throw Self.failure(copy, target)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      guard Cancellation.current?.isCancelled != true else {
        sqlite3_backup_finish(backup)
        throw .interrupted(path: path)
      }
      code = sqlite3_backup_step(backup, Self.backupStepPages)
      let all = Int(sqlite3_backup_pagecount(backup))
      progress(all - Int(sqlite3_backup_remaining(backup)), all)
    }
    let pages = Int(sqlite3_backup_pagecount(backup))
    let finished = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, finished == SQLITE_OK else { throw Self.failure(copy, target) }
    return pages
  }

  private static func failure(_ copy: Connection, _ target: String) -> DatabaseError {
    let reason =
      sqlite3_errcode(copy.handle) & 0xFF == SQLITE_FULL
      ? "the disk is full" : String(cString: sqlite3_errmsg(copy.handle))
    return .cannotWrite(path: target, reason: reason)
  }
}
