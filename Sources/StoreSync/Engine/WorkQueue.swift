import Foundation

/// Runs work on several threads, while whoever adds it goes on.
///
/// A disk takes some milliseconds to make a file durable, however small it is, but it does so for
/// several at the same time.
// Unchecked: the variables are only touched while `condition` is locked.
final class WorkQueue: @unchecked Sendable {
  /// The maximum number of threads.
  private static let threadCount = 4
  /// The maximum number of pieces of work that wait for a thread.
  private static let waitingCount = 16

  private let condition = NSCondition()
  private var waiting: [@Sendable () throws -> Void] = []
  private var threads = 0
  private var failure: (any Error)?

  /// Runs some work soon after this returns.
  ///
  /// - Throws: the first error of work that was added before. This work does not run then.
  func add(_ work: @escaping @Sendable () throws -> Void) throws {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count == Self.waitingCount, failure == nil { condition.wait() }
    if let failure { throw failure }
    waiting.append(work)
    guard threads < Self.threadCount else { return condition.broadcast() }
    threads += 1
    Thread.detachNewThread { [self] in run() }
  }

  /// Waits until all work is done.
  ///
  /// - Throws: the first error. Work that waited then did not run.
  func finish() throws {
    condition.lock()
    defer { condition.unlock() }
    while threads > 0 { condition.wait() }
    if let failure { throw failure }
  }

  /// Runs what waits until nothing does.
  private func run() {
    condition.lock()
    while failure == nil, !waiting.isEmpty {
      let work = waiting.removeFirst()
      condition.unlock()
      var problem: (any Error)?
      do { try work() } catch { problem = error }
      condition.lock()
      if let problem, failure == nil { failure = problem }
      condition.broadcast()
    }
    if failure != nil { waiting = [] }
    threads -= 1
    condition.broadcast()
    condition.unlock()
  }
}
