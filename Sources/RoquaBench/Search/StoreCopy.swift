import CSQLite
import Foundation

/// Copies a user's store without writing a byte to it or beside it: what is timed, and brought to the newest schema,
/// is the copy.
enum StoreCopy {
  /// Copies the database at `path` to `copy`, which must not exist.
  ///
  /// A database with a write-ahead log that holds something is read as SQLite reads any. One without is read as a
  /// file that nothing changes, because SQLite would make a log beside it; whether that was so is looked at afterwards.
  /// - Throws: ``BenchmarkError`` where it cannot be read, or was written meanwhile.
  static func make(of path: String, at copy: String) throws {
    guard access(path, F_OK) == 0 else {
      throw BenchmarkError("\(path): there is no store.")
    }
    let hadLog = hasLog(path)
    let before = try state(of: path)
    let immutable = hadLog ? "" : "&immutable=1"
    try copyPages(from: "file:\(escaped(path))?mode=ro\(immutable)", to: copy, path)
    if hadLog { return }
    let after = try state(of: path)
    guard !hasLog(path), before == after else {
      try? FileManager.default.removeItem(atPath: copy)
      throw BenchmarkError("\(path): it was written while it was copied; try again.")
    }
  }

  private static func copyPages(from uri: String, to copy: String, _ path: String) throws {
    var source: OpaquePointer?
    defer { sqlite3_close_v2(source) }
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(uri, &source, flags, nil) == SQLITE_OK else {
      throw BenchmarkError("\(path): it cannot be opened.")
    }
    var target: OpaquePointer?
    defer { sqlite3_close_v2(target) }
    guard sqlite3_open_v2(copy, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
      throw BenchmarkError("The folder for temporary files cannot be written.")
    }
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw BenchmarkError("\(path): \(String(cString: sqlite3_errmsg(target)))")
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      throw BenchmarkError("\(path): it cannot be read: \(String(cString: sqlite3_errstr(code))).")
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    // SQLite keeps the log beside the file, wherever a link to it is.
    guard let file = realpath(path, nil) else { return false }
    defer { free(file) }
    var status = stat()
    return stat(String(cString: file) + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Size and time of the last change: what a checkpoint alters.
  private static func state(of path: String) throws -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw BenchmarkError("\(path): it cannot be read.") }
    #if canImport(Darwin)
      return [Int(status.st_size), status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    #else
      return [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    #endif
  }

  /// The path as part of a URI (https://www.sqlite.org/uri.html, section 3.1).
  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }
}
