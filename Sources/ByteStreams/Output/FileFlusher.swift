import Foundation

/// Flushes written files to the disk on several threads, while their writer goes on.
///
/// A disk takes some milliseconds for each flush, however little is written, but the system joins
/// those that it is asked for at the same time.
// Unchecked: the variables are only touched while `condition` is locked.
final class FileFlusher: @unchecked Sendable {
  /// The maximum number of threads.
  private static let threadCount = 4
  /// The maximum number of files that wait for a thread; their descriptors are open.
  private static let waitingCount = 32

  private let condition = NSCondition()
  private var waiting: [(descriptor: Int32, path: String)] = []
  private var threads = 0
  private var failure: FileFailure?

  /// Flushes a file and then closes its descriptor, soon after this returns.
  ///
  /// - Throws: ``FileFailure`` if a file before could not be flushed. This one is only closed then.
  func flush(_ descriptor: Int32, of path: String) throws(FileFailure) {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count == Self.waitingCount { condition.wait() }
    if let failure {
      close(descriptor)
      throw failure
    }
    waiting.append((descriptor, path))
    guard threads < Self.threadCount else { return }
    threads += 1
    Thread.detachNewThread { [self] in work() }
  }

  /// Waits until all files are flushed and closed.
  ///
  /// - Returns: the first failure; nil for none.
  func wait() -> FileFailure? {
    condition.lock()
    defer { condition.unlock() }
    while threads > 0 { condition.wait() }
    return failure
  }

  /// Flushes files until none waits.
  private func work() {
    condition.lock()
    while let file = waiting.popLast() {
      condition.unlock()
      let code = fsync(file.descriptor) == 0 ? 0 : errno
      close(file.descriptor)
      condition.lock()
      if code != 0, failure == nil { failure = FileFailure(path: file.path, code: code) }
      condition.broadcast()
    }
    threads -= 1
    condition.broadcast()
    condition.unlock()
  }
}
