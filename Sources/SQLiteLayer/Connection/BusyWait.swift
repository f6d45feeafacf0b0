import CSQLite
import Foundation

/// The wait of a connection's statements for a lock that another connection holds, possibly in
/// another process.
///
/// SQLite's own wait cannot be canceled. While work that can be canceled uses the connection, this
/// object waits instead. Nothing wakes a process when a lock on a file is released, so it sleeps
/// between two attempts, as SQLite does.
final class BusyWait {
  /// The longest sleep, in milliseconds. SQLite's is 100.
  private static let longestSleepMilliseconds: Int64 = 50

  /// The time in milliseconds after which a statement fails with `SQLITE_BUSY`.
  private(set) var limitMilliseconds: Int64 = 0
  private var isCancelled: (() -> Bool)?
  /// The time of the first failed attempt of the present statement.
  private var start = ContinuousClock.now

  /// Sets the limit for the statements of a connection.
  func setLimit(_ milliseconds: Int64, on handle: OpaquePointer) {
    limitMilliseconds = milliseconds
    watch(handle, unless: isCancelled)
  }

  /// Makes the waits of a connection end soon after `isCancelled` returns true. If it is nil, waits
  /// are SQLite's own. The object must outlive the connection.
  func watch(_ handle: OpaquePointer, unless isCancelled: (() -> Bool)?) {
    self.isCancelled = isCancelled
    guard isCancelled != nil else {
      sqlite3_busy_timeout(handle, Int32(clamping: limitMilliseconds))
      return
    }
    sqlite3_busy_handler(
      handle,
      { pointer, attempts in
        guard let pointer else { return 0 }
        // Unretained: the connection owns this object, and replaces the handler when the work ends.
        return Unmanaged<BusyWait>.fromOpaque(pointer).takeUnretainedValue()
          .sleep(after: attempts) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Sleeps before the next attempt. Returns false if there is to be none.
  private func sleep(after attempts: Int32) -> Bool {
    if attempts == 0 { start = .now }
    guard isCancelled?() != true else { return false }
    let left = Duration.milliseconds(limitMilliseconds) - (.now - start)
    guard left > .zero else { return false }
    let milliseconds = min(Self.longestSleepMilliseconds, 1 << Int64(min(attempts, 6)))
    usleep(UInt32(min(.milliseconds(milliseconds), left) / .microseconds(1)))
    return true
  }
}
