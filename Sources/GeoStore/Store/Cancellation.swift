import SQLiteLayer
import Synchronization

/// Whether a task was cancelled, for blocking work on another thread.
package final class Cancellation: Sendable {
  /// That of the work that runs on this thread; nil where nobody can cancel it. Statements of a
  /// store that begin under it stop once it is cancelled.
  @TaskLocal package static var current: Cancellation?

  private let flag = Atomic(false)

  /// Not cancelled.
  package init() {}

  /// Whether it is cancelled.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Cancels.
  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// - Throws: `CancellationError` once it is cancelled.
  package func check() throws { if isCancelled { throw CancellationError() } }

  /// Runs `body`, whose statements on a connection stop once the work on this thread is cancelled.
  static func watching<T, Failure: Error>(
    _ connection: Connection, for cancellation: Cancellation? = current,
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard let cancellation else { return try body() }
    connection.stepBudget.isCancelled = { cancellation.isCancelled }
    defer { connection.stepBudget.isCancelled = nil }
    return try body()
  }
}
