import Dispatch
import SQLiteLayer

// The calls of `Store` for async code. SQLite blocks its thread, and Swift concurrency has few
// threads, so these calls run on Dispatch threads while the task is suspended.
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
  /// - Throws: `CancellationError` if the work stopped because the task was canceled, and any
  ///   error that `body` throws.
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
