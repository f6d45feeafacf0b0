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

  /// A closure that returns whether the work on this thread is canceled; nil if it cannot be.
  static var currentTest: (() -> Bool)? { current?.test }

  /// A closure that returns whether it is canceled, for targets below this one.
  var test: () -> Bool { { self.isCancelled } }

  /// Throws an error if it is canceled.
  ///
  /// - Throws: `CancellationError`.
  package func check() throws { if isCancelled { throw CancellationError() } }

  /// Throws an error if the work on this thread is canceled, for work that runs no statement of a
  /// store for long.
  ///
  /// - Parameter path: the file that the work makes, for the message.
  /// - Throws: `DatabaseError.interrupted(path:)`.
  package static func checkCurrent(for path: String) throws(DatabaseError) {
    if current?.isCancelled == true { throw .interrupted(path: path) }
  }

  /// Runs `body`. Its statements on the connection stop once the work on this thread is canceled,
  /// also while they wait for another connection.
  static func watching<T, Failure: Error>(
    _ connection: Connection, for cancellation: Cancellation? = current,
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard let cancellation else { return try body() }
    return try connection.stopping(if: cancellation.test, body)
  }
}
