import CSQLite

/// The bytes of the database file itself, read and written by the file system of SQLite that has it
/// open: without a lock, past the cache, and before any log is brought in.
///
/// A file of ours would do harm: when a process closes one, it loses every lock that it holds on
/// that file, those of other connections too (https://www.sqlite.org/howtocorrupt.html, section
/// 2.2). SQLite takes care of that.
extension Connection {
  /// Bytes of the file now.
  package func fileSize() throws(DatabaseError) -> Int64 {
    let file = try openFile()
    var size: sqlite3_int64 = 0
    let code = file.pointee.pMethods?.pointee.xFileSize?(file, &size) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    return size
  }

  /// At most `count` bytes from `offset` on; fewer where the file ends before.
  package func fileBytes(at offset: Int64, count: Int) throws(DatabaseError) -> [UInt8] {
    let count = min(count, Int(clamping: max(0, try fileSize() - offset)))
    guard count > 0 else { return [] }
    let file = try openFile()
    // Sound: SQLite writes at most `count` bytes, which the array has.
    var bytes = [UInt8](repeating: 0, count: count)
    let code =
      file.pointee.pMethods?.pointee.xRead?(file, &bytes, Int32(count), offset) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    return bytes
  }

  /// `count` bytes from `offset` on, which the file must have; fewer are an error. Quicker than
  /// ``fileBytes(at:count:)``, since it does not ask for the file's size.
  func wholeFileBytes(at offset: Int64, count: Int) throws(DatabaseError) -> [UInt8] {
    let file = try openFile()
    var code = SQLITE_MISUSE
    // Sound: SQLite writes `count` bytes, or zeros where the file ends before them, and then says
    // so.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, used in
      code =
        file.pointee.pMethods?.pointee.xRead?(file, room.baseAddress, Int32(count), offset)
        ?? SQLITE_MISUSE
      used = code == SQLITE_OK ? count : 0
    }
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    return bytes
  }

  /// Writes bytes over those from `offset` on. What SQLite knows of the file is not changed by it:
  /// only bytes that it does not use may be written (``clearUnusedBytes()``).
  func writeFile(_ bytes: [UInt8], at offset: Int64) throws(DatabaseError) {
    let file = try openFile()
    // Sound: SQLite reads `bytes.count` bytes, which the array has.
    let code =
      file.pointee.pMethods?.pointee.xWrite?(file, bytes, Int32(bytes.count), offset)
      ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }

  /// Whether a write that a power cut stops leaves the bytes around it as they were.
  func overwritesSafely() throws(DatabaseError) -> Bool {
    let file = try openFile()
    let traits = file.pointee.pMethods?.pointee.xDeviceCharacteristics?(file) ?? 0
    return traits & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0
  }

  /// Brings what was written to the file to the disk.
  func syncFile() throws(DatabaseError) {
    let file = try openFile()
    let code =
      file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL) ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
  }

  /// Whether the name under which SQLite opened the file is another file's by now, or nobody's.
  package func hasMoved() throws(DatabaseError) -> Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    // File systems that cannot tell (not the usual one) know nothing of it.
    guard code == SQLITE_OK || code == SQLITE_NOTFOUND else { throw error(code, sql: nil) }
    return hasMoved != 0
  }

  // Sound: SQLite owns the file object and keeps it while the connection is open.
  private func openFile() throws(DatabaseError) -> UnsafeMutablePointer<sqlite3_file> {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    guard code == SQLITE_OK, let pointer, pointer.pointee.pMethods != nil else {
      throw .cannotOpen(path: path, reason: "it is not open")
    }
    return pointer
  }
}
