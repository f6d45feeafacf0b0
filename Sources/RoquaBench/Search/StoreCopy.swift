import CSQLite
import Foundation

/// Copies a user's store without writing a byte to it or its folder: the copy is timed and migrated
/// to the newest schema.
enum StoreCopy {
  /// Copies the database at `path` to `copy`, which must not exist.
  ///
  /// A database whose write-ahead log is not empty is opened read-only. One without a log is opened
  /// as immutable, because SQLite would otherwise create a log; whether it changed is checked
  /// afterwards.
  ///
  /// - Throws: ``BenchmarkError`` if it cannot be read, or was written during the copy.
  static func make(of path: String, at copy: String) throws {
    guard access(path, F_OK) == 0 else {
      throw BenchmarkError("\(path): There is no store.")
    }
    let hadLog = hasLog(path)
    let before = try state(of: path)
    let immutable = hadLog ? "" : "&immutable=1"
    try copyPages(from: "file:\(escaped(path))?mode=ro\(immutable)", to: copy, path)
    if hadLog { return }
    let after = try state(of: path)
    guard !hasLog(path), before == after else {
      try? FileManager.default.removeItem(atPath: copy)
      throw BenchmarkError("\(path): The store was written while it was copied. Try again.")
    }
  }

  private static func copyPages(from uri: String, to copy: String, _ path: String) throws {
    var source: OpaquePointer?
    defer { sqlite3_close_v2(source) }
    // Sound: both connections are closed at the end of this scope, after the backup is finished.
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(uri, &source, flags, nil) == SQLITE_OK else {
      throw BenchmarkError("\(path): The store cannot be opened.")
    }
    var target: OpaquePointer?
    defer { sqlite3_close_v2(target) }
    guard
      sqlite3_open_v2(copy, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK
    else {
      throw BenchmarkError("The folder for temporary files cannot be written.")
    }
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw BenchmarkError("\(path): \(String(cString: sqlite3_errmsg(target)))")
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      throw BenchmarkError(
        "\(path): The store cannot be read: \(String(cString: sqlite3_errstr(code))).")
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    // SQLite keeps the log next to the file, not next to a link to it.
    // Sound: `realpath` allocates the text, which is freed here.
    guard let file = realpath(path, nil) else { return false }
    defer { free(file) }
    var status = stat()
    return stat(String(cString: file) + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Size and time of the last change, which a checkpoint alters.
  private static func state(of path: String) throws -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw BenchmarkError("\(path): The store cannot be read.")
    }
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
