import SQLiteLayer
import Synchronization

/// A flag that cancels blocking work on another thread.
package final class Cancellation: Sendable {
  /// The cancellation of the work on this thread; nil if it cannot be canceled. Statements of a
  /// store that begin under it stop once it is canceled.
  @TaskLocal package static var current: Cancellation?

  private let flag = Atomic(false)

  /// Creates a cancellation that is not canceled.
  package init() {}

  /// Whether it is canceled.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Cancels.
  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// Throws an error if it is canceled.
  ///
  /// - Throws: `CancellationError`.
  package func check() throws { if isCancelled { throw CancellationError() } }

  /// Runs `body`. Its statements on the connection stop once the work on this thread is canceled.
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
