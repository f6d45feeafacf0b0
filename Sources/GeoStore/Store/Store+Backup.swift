import CSQLite
import SQLiteLayer

extension Store {
  /// Number of pages that ``backup(to:replacing:progress:)`` copies between two reports of
  /// progress: 1 MiB of 4 KiB pages.
  private static let backupStepPages: Int32 = 256

  /// Copies the present state of the store into a new file with SQLite's online backup. Imports may
  /// continue meanwhile, in this process and in others.
  ///
  /// The pages are copied in steps, all within one read transaction. SQLite restarts a backup if
  /// another connection changes the database between two steps, so the backup of a busy store would
  /// never finish; within a transaction it sees one unchanging state. In return, the write-ahead
  /// log cannot be emptied until the transaction ends.
  ///
  /// The file appears under its name once it is complete and synced to disk. Only its owner can
  /// access it.
  ///
  /// - Parameters:
  ///   - target: The path of the copy. An existing file is left unchanged, unless `isReplacing`.
  ///   - isReplacing: Whether an existing file may be replaced.
  ///   - progress: Called after each step with the number of pages copied and the total.
  /// - Throws: `DatabaseError.fileExists(path:)`, `DatabaseError.cannotWrite(path:reason:)`, and
  ///   errors of reading the store.
  /// - Returns: the size of the file in bytes.
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

  /// Copies all pages and returns their number.
  private func copy(
    _ source: Connection, to partialPath: String, target: String, progress: (Int, Int) -> Void
  ) throws(DatabaseError) -> Int {
    let copy = try Connection.output(partialPath, fileSystem: options.fileSystem)
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
