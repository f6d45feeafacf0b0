import Dispatch
import SQLiteLayer

// The calls of `Store` for async code. SQLite blocks the thread that it works on, and the threads
// of Swift's concurrency are few: so these run on Dispatch's threads, and the task waits without
// one.
extension Store {
  /// Reads one unchanging state of the store, on a thread of its own. Where the task is cancelled,
  /// SQLite stops within milliseconds.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and what `body` throws.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> T
  ) async throws -> T {
    try await Self.onThread { _ in
      try self.read { (snapshot: Snapshot) in try body(snapshot) }
    }
  }

  /// Writes in one transaction, on a thread of its own: all of it or, where `body` throws or the
  /// task is cancelled, nothing. Waits for other writers.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and what `body` throws.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws -> T
  ) async throws -> T {
    try await Self.onThread { _ in
      try self.write { (session: WriteSession) in try body(session) }
    }
  }

  /// Runs blocking work on one of Dispatch's threads.
  ///
  /// - Throws: `CancellationError` where the task was cancelled and the work stopped for it, and
  ///   what `body` throws.
  package static func onThread<T: Sendable>(
    _ body: @escaping @Sendable (Cancellation) throws -> T
  ) async throws -> T {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result {
              do {
                try cancellation.check()
                return try Cancellation.$current.withValue(cancellation) { try body(cancellation) }
              } catch DatabaseError.interrupted where cancellation.isCancelled {
                throw CancellationError()
              }
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
