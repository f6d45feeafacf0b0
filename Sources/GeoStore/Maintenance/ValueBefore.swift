import Dispatch
import SQLiteLayer
import Synchronization

/// A value of the store as it was before a transaction, computed by a reader on another thread
/// while the transaction works (`docs/decisions/forgetting.md`).
///
/// A reader sees what was committed last, until the transaction itself is committed.
final class ValueBefore<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, DatabaseError>

  private enum State {
    /// No thread computes it yet.
    case waiting
    /// A thread computes it.
    case running
    case ended(Outcome)
    /// Nobody wants it any more.
    case stopped
  }

  private let state: Mutex<State>
  private let compute: @Sendable (_ isUnwanted: @escaping () -> Bool) -> Outcome
  private let unwanted = Cancellation()
  private let work = DispatchGroup()

  /// Starts to compute it. Call ``stop()`` before the transaction ends.
  ///
  /// - Parameters:
  ///   - readers: the readers of the store.
  ///   - queue: where it is computed. It should not be the global queue, on each thread of which a
  ///     writer may wait.
  ///   - body: computes it with a reader.
  init(
    _ readers: ReaderPool, on queue: DispatchQueue,
    _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Value
  ) {
    let cancellation = Cancellation.current
    compute = { isUnwanted in
      Outcome { () throws(DatabaseError) in
        try readers.readCommitted(
          unless: { isUnwanted() || cancellation?.isCancelled == true }, body)
      }
    }
    state = Mutex(.waiting)
    queue.async(group: work) { [self] in
      if take() { run() }
    }
  }

  /// Creates one whose value is known.
  init(_ value: Value) {
    compute = { _ in .success(value) }
    state = Mutex(.ended(.success(value)))
  }

  /// The value, as soon as it is known. If no thread was free so far, this one computes it.
  ///
  /// - Precondition: ``stop()`` was not called.
  func value() throws(DatabaseError) -> Value {
    if take() { run() } else { waitUntilEnded() }
    guard case .ended(let outcome) = state.withLock({ $0 }) else {
      preconditionFailure("the value was stopped")
    }
    return try outcome.get()
  }

  /// The value if a thread has begun to compute it, as soon as it is known; otherwise nil, and it
  /// is not computed any more.
  func valueIfBegun() throws(DatabaseError) -> Value? {
    if take() {
      state.withLock { $0 = .stopped }
      return nil
    }
    return try value()
  }

  /// Waits until nothing reads any more: what is computed now is broken off.
  func stop() {
    unwanted.cancel()
    if take() { state.withLock { $0 = .stopped } } else { waitUntilEnded() }
  }

  /// Returns true to the one thread that is to compute it.
  private func take() -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running
      return true
    }
  }

  private func run() {
    let outcome = compute(unwanted.test)
    state.withLock { $0 = .ended(outcome) }
  }

  /// Waits for the thread that computes it, if there is one. It waits for nobody.
  private func waitUntilEnded() {
    if case .running = state.withLock({ $0 }) { work.wait() }
  }
}

extension ReaderPool {
  /// Runs `body` with a reader that sees what was committed last, even if too many readers are in
  /// use: a writer may wait for it.
  ///
  /// - Parameter isCancelled: returns whether the work is canceled.
  fileprivate func readCommitted<T>(
    unless isCancelled: @escaping () -> Bool, _ body: (Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try withReaderAtOnce { (reader) throws(DatabaseError) in
      try reader.stopping(if: isCancelled) { () throws(DatabaseError) in
        try reader.readTransaction { () throws(DatabaseError) in try body(reader) }
      }
    }
  }
}
