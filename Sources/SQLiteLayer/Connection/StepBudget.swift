import CSQLite
import Foundation

/// How many steps of SQLite's virtual machine one row of a result may take, and who may stop it.
///
/// A statement that runs longer than a sound file of this size could need is stopped: a second net
/// below what is refused when a database is opened. It is also stopped soon after its task was
/// cancelled.
package final class StepBudget {
  /// Steps between two looks: one to three milliseconds.
  private static let interval: Int32 = 100_000
  /// Looks that any file may take: two hundred million steps, some seconds.
  private static let freeLooks = 2_000
  /// Pages of the file for each look beyond: 20,000 steps a page, ten times what SQLite's integrity
  /// check takes for a page full of the smallest rows.
  private static let pagesPerLook = 5

  /// Whether the work on the connection is cancelled; nil where nobody can cancel it.
  package var isCancelled: (() -> Bool)?
  /// Whether the last statement that was stopped was stopped by ``isCancelled``.
  private(set) var wasCancelled = false
  /// Looks since ``restart()``. Allocated: each row sets it, and a property of a class checks for
  /// exclusive access.
  ///
  /// Sound: only the thread that has the connection uses it.
  private let looks: UnsafeMutablePointer<Int>
  private let path: String

  /// A budget for the file at a path.
  init(path: String) {
    self.path = path
    // Sound: freed in `deinit`.
    looks = .allocate(capacity: 1)
    looks.initialize(to: 0)
  }

  deinit { looks.deallocate() }

  /// Starts counting from zero: a statement proceeds to its next row.
  @inline(__always)
  func restart() { looks.pointee = 0 }

  /// Watches a connection, which must end before this does.
  func watch(_ handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.interval,
      { pointer in
        guard let pointer else { return 0 }
        // Unretained: the connection owns the budget and removes this handler before it goes.
        return Unmanaged<StepBudget>.fromOpaque(pointer).takeUnretainedValue().mustStop() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func mustStop() -> Bool {
    wasCancelled = isCancelled?() ?? false
    guard !wasCancelled else { return true }
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
