import CSQLite
import Foundation

/// A limit on the steps of SQLite's virtual machine for one row of a result, and a means to cancel
/// statements.
///
/// A statement that runs longer than a sound file of this size could require is stopped, as a
/// second line of defense after the checks made when a database is opened. A statement is also
/// stopped soon after its task was canceled.
package final class StepBudget {
  /// Number of steps between two checks: one to three milliseconds.
  package static let interval: Int32 = 100_000
  /// Number of checks allowed for any file: two hundred million steps, some seconds.
  private static let freeLooks = 2_000
  /// Number of pages of the file for each further check: 20,000 steps for each page, ten times the
  /// need of SQLite's integrity check for a page full of the smallest rows.
  private static let pagesPerLook = 5

  /// Returns whether the work on the connection is canceled; nil if it cannot be canceled.
  var isCancelled: (() -> Bool)?
  /// Whether statements may run for as long as they take, as those that a person wrote may.
  package var isUnlimited = false
  /// Whether ``isCancelled`` caused the last stop of a statement.
  private(set) var wasCancelled = false
  /// Number of checks since ``restart()``. Allocated separately, because each row sets it and a
  /// class property is checked for exclusive access.
  ///
  /// Sound: only the thread that has the connection uses it.
  private let looks: UnsafeMutablePointer<Int>
  private let path: String

  /// Creates a budget for the file at a path.
  init(path: String) {
    self.path = path
    // Sound: freed in `deinit`.
    looks = .allocate(capacity: 1)
    looks.initialize(to: 0)
  }

  deinit { looks.deallocate() }

  /// Restarts the count, because a statement proceeds to its next row.
  @inline(__always)
  func restart() { looks.pointee = 0 }

  /// Watches a connection, which must be closed before this object is released.
  ///
  /// - Parameter steps: the number of steps between two checks. A step takes nanoseconds, unless it
  ///   calls a function that takes long.
  package func watch(_ handle: OpaquePointer, every steps: Int32 = interval) {
    sqlite3_progress_handler(
      handle, steps,
      { pointer in
        guard let pointer else { return 0 }
        // Unretained: the connection owns the budget and removes this handler before it is freed.
        return Unmanaged<StepBudget>.fromOpaque(pointer).takeUnretainedValue().mustStop() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func mustStop() -> Bool {
    wasCancelled = isCancelled?() ?? false
    guard !wasCancelled else { return true }
    guard !isUnlimited else { return false }
    looks.pointee += 1
    guard looks.pointee > Self.freeLooks else { return false }
    return looks.pointee - Self.freeLooks > filePages() / Self.pagesPerLook
  }

  /// Returns the present size of the database and its log in pages of 4 KiB.
  private func filePages() -> Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return sum }
      return sum + max(0, Int(status.st_size)) / Int(Pragmas.pageSizeBytes)
    }
  }
}
