import Dispatch
import SQLiteLayer
import Synchronization

// The calls of `Store` for async code. SQLite blocks its thread, and Swift concurrency has few
// threads, so these calls run on other threads of Dispatch while the task is suspended.
extension Store {
  /// Reads one unchanging state of the store on a separate thread. If the task is canceled, SQLite
  /// stops within milliseconds.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and any error that `body` throws.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> T
  ) async throws -> T {
    try await Self.onThread { _ in
      try self.read { (snapshot: Snapshot) in try body(snapshot) }
    }
  }

  /// Writes in one transaction on a separate thread. The transaction is undone completely if `body`
  /// throws or the task is canceled. Waits for other writers.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and any error that `body` throws.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws -> T
  ) async throws -> T {
    try await Self.onThread { _ in
      try self.write { (session: WriteSession) in try body(session) }
    }
  }

  /// Runs blocking work on a Dispatch thread.
  ///
  /// - Parameters:
  ///   - cancelled: returns the result if the task is canceled before the work has begun.
  ///   - body: the work, which runs under the cancellation that it receives.
  /// - Throws: `CancellationError` if the work stopped because the task was canceled, and any
  ///   error that `body` throws.
  package static func onThread<T: Sendable>(
    whenCancelled cancelled: @escaping @Sendable () throws -> T = { throw CancellationError() },
    _ body: @escaping @Sendable (Cancellation) throws -> T
  ) async throws -> T {
    let call = WaitingCall(cancelled: cancelled)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.wait(continuation)
        // A serial queue gets a thread although others are busy, up to 255 of them. The global
        // queue has as many as there are processors, and on Linux tasks run on them, too: calls
        // that wait there for a reader would stop every task.
        DispatchQueue(label: "Roqua call").async {
          // Canceled before a thread was free.
          guard let continuation = call.take() else { return }
          continuation.resume(with: Result { try call.run(body) })
        }
      }
    } onCancel: {
      call.cancel()
    }
  }
}

/// An async call that waits for a thread of Dispatch. All of them may be busy, for example with
/// waiting for a reader.
private final class WaitingCall<T: Sendable>: Sendable {
  private let cancellation = Cancellation()
  private let cancelled: @Sendable () throws -> T
  private let waiting = Mutex<CheckedContinuation<T, any Error>?>(nil)

  /// - Parameter cancelled: returns the result of a call that is canceled while it waits.
  init(cancelled: @escaping @Sendable () throws -> T) { self.cancelled = cancelled }

  /// Waits for a thread, unless the call is canceled.
  func wait(_ continuation: CheckedContinuation<T, any Error>) {
    waiting.withLock { $0 = continuation }
    // If the call was canceled before this, nobody else ends the wait.
    if cancellation.isCancelled { end() }
  }

  /// Ends the wait: only one caller gets the continuation.
  func take() -> CheckedContinuation<T, any Error>? { waiting.withLock { $0.take() } }

  /// Runs the work under the call's cancellation, on the thread that the call waited for.
  func run(_ body: (Cancellation) throws -> T) throws -> T {
    guard !cancellation.isCancelled else { return try cancelled() }
    do {
      return try Cancellation.$current.withValue(cancellation) { try body(cancellation) }
    } catch DatabaseError.interrupted where cancellation.isCancelled {
      throw CancellationError()
    }
  }

  /// Cancels the call. One that waits for a thread ends at once.
  func cancel() {
    cancellation.cancel()
    end()
  }

  private func end() { take()?.resume(with: Result { try cancelled() }) }
}
