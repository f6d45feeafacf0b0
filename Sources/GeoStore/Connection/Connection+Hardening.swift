import CSQLite
import Foundation

/// What keeps a database that somebody else made from running anything: every connection is opened so.
///
/// The options are those that SQLite recommends for files of unknown origin
/// (https://www.sqlite.org/security.html, section 1). A store has neither triggers nor views that Roqua
/// itself reads, so both are off altogether; `ON DELETE CASCADE` is neither.
extension Connection {
  private static let options: [(option: Int32, value: Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
  ]

  /// Bytes of a text or blob. The largest that Roqua writes are the reports of imports, some kilobytes.
  static let longestValueBytes: Int32 = 64 << 20

  /// The limits that are lower than SQLite's own (https://www.sqlite.org/limits.html).
  private static let limits: [(limit: Int32, value: Int32)] = [
    (SQLITE_LIMIT_LENGTH, longestValueBytes), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    (SQLITE_LIMIT_ATTACHED, 1),  // VACUUM attaches one
  ]

  /// Applies the options and limits; returns SQLite's code.
  static func harden(_ handle: OpaquePointer) -> Int32 {
    for (option, value) in options {
      let code = roqua_sqlite_set_option(handle, option, value)
      guard code == SQLITE_OK else { return code }
    }
    for (limit, value) in limits { sqlite3_limit(handle, limit, value) }
    return sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nil, nil, nil)
  }

  /// For tests: lets triggers and views of the database run.
  func soften() {
    for option in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
      _ = roqua_sqlite_set_option(handle, option, 1)
    }
  }
}

/// How many steps of SQLite's machine one row of an answer may take. Whatever runs on for longer than
/// a sound file of this size could ask for is stopped, as a second net below what is refused at
/// opening.
final class StepBudget {
  /// Steps between two looks.
  private static let interval: Int32 = 100_000
  /// Looks that any file may take: two hundred million steps, some seconds.
  private static let freeLooks = 2_000
  /// Pages of the file for each look beyond: 20,000 steps a page, ten times what SQLite's check of its
  /// integrity takes for a page full of the smallest rows.
  private static let pagesPerLook = 5

  /// Looks since ``restart()``. Storage of its own: each row sets it, and a property of a class checks for exclusive access.
  private let looks: UnsafeMutablePointer<Int>
  private let path: String

  /// A budget for the file at a path.
  init(path: String) {
    self.path = path
    looks = .allocate(capacity: 1)
    looks.initialize(to: 0)
  }

  deinit { looks.deallocate() }

  /// Starts to count from none: a statement goes on to its next row.
  @inline(__always)
  func restart() { looks.pointee = 0 }

  /// Watches a connection, which must end before this does.
  func watch(_ handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.interval,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StepBudget>.fromOpaque(pointer).takeUnretainedValue().isExhausted() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func isExhausted() -> Bool {
    looks.pointee += 1
    guard looks.pointee > Self.freeLooks else { return false }
    return looks.pointee - Self.freeLooks > filePages() / Self.pagesPerLook
  }

  /// Pages of 4 KiB that the database and its log have now.
  private func filePages() -> Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return sum }
      return sum + max(0, Int(status.st_size)) / Int(Pragmas.pageSizeBytes)
    }
  }
}
