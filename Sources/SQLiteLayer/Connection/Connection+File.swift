import CSQLite

/// Access to the bytes of the database file itself, through SQLite's file system that has it open:
/// without a lock, bypassing the cache, and before any log is applied.
///
/// Opening the file separately would do harm: when a process closes a file, it loses every lock
/// that it holds on it, including those of other connections
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2). SQLite takes care of that.
extension Connection {
  /// Whether the database has a file. A temporary one has none as long as it fits into memory.
  var hasFile: Bool { fileObject != nil }

  /// Returns the present size of the file in bytes.
  package func fileSize() throws(DatabaseError) -> Int64 {
    let file = try openFile()
    var size: sqlite3_int64 = 0
    let code = file.pointee.pMethods?.pointee.xFileSize?(file, &size) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    return size
  }

  /// Returns at most `count` bytes from `offset` on; fewer if the file ends before.
  package func fileBytes(at offset: Int64, count: Int) throws(DatabaseError) -> [UInt8] {
    let count = min(count, Int(clamping: max(0, try fileSize() - offset)))
    guard count > 0 else { return [] }
    let file = try openFile()
    // Sound: SQLite writes at most `count` bytes, the size of the array.
    var bytes = [UInt8](repeating: 0, count: count)
    let code =
      file.pointee.pMethods?.pointee.xRead?(file, &bytes, Int32(count), offset) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    return bytes
  }

  /// Returns `count` bytes from `offset` on, which must exist. Faster than
  /// ``fileBytes(at:count:)``, since it does not query the size of the file.
  func wholeFileBytes(at offset: Int64, count: Int) throws(DatabaseError) -> [UInt8] {
    let file = try openFile()
    var code = SQLITE_MISUSE
    // Sound: SQLite writes `count` bytes, filling up with zeros and reporting an error if the file
    // ends before them.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, used in
      code =
        file.pointee.pMethods?.pointee.xRead?(file, room.baseAddress, Int32(count), offset)
        ?? SQLITE_MISUSE
      used = code == SQLITE_OK ? count : 0
    }
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    return bytes
  }

  /// Overwrites the bytes from `offset` on. SQLite does not learn of the change, so only bytes that
  /// it does not use may change (``clearUnusedBytes()``).
  func writeFile(_ bytes: [UInt8], at offset: Int64) throws(DatabaseError) {
    let file = try openFile()
    // Sound: SQLite reads `bytes.count` bytes, the size of the array.
    let code =
      file.pointee.pMethods?.pointee.xWrite?(file, bytes, Int32(bytes.count), offset)
      ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }

  /// Returns whether a write interrupted by a power cut leaves the adjacent bytes unchanged.
  func overwritesSafely() throws(DatabaseError) -> Bool {
    let file = try openFile()
    let traits = file.pointee.pMethods?.pointee.xDeviceCharacteristics?(file) ?? 0
    return traits & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0
  }

  /// Syncs the file to disk.
  func syncFile() throws(DatabaseError) {
    let file = try openFile()
    let code =
      file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }

  /// Returns whether the name under which SQLite opened the file now belongs to another file or to
  /// none.
  package func hasMoved() throws(DatabaseError) -> Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    // File systems other than the default may not support this query.
    guard code == SQLITE_OK || code == SQLITE_NOTFOUND else { throw error(code, sql: nil) }
    return hasMoved != 0
  }

  private func openFile() throws(DatabaseError) -> UnsafeMutablePointer<sqlite3_file> {
    guard let fileObject else { throw .cannotOpen(path: path, reason: "it is not open") }
    return fileObject
  }

  // Sound: SQLite owns the file object and keeps it while the connection is open.
  private var fileObject: UnsafeMutablePointer<sqlite3_file>? {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    guard code == SQLITE_OK, let pointer, pointer.pointee.pMethods != nil else { return nil }
    return pointer
  }
}
