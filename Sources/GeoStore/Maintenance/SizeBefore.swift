import Dispatch
import SQLiteLayer
import Synchronization

/// The store's size at the start of a transaction, counted by a reader on another thread while the
/// transaction looks for what changes (`docs/decisions/forgetting.md`).
///
/// Only a session that has stored nothing can leave this to a reader; otherwise it counts by
/// itself, at once.
final class SizeBefore: Sendable {
  private typealias Outcome = Result<MaintenanceReport.Size, DatabaseError>

  private enum State {
    /// No thread counts yet.
    case waiting
    /// A thread counts.
    case running
    case ended(Outcome)
    /// Nobody wants the size any more.
    case stopped
  }

  private let state: Mutex<State>
  private let readers: ReaderPool
  private let cancellation = Cancellation.current
  private let count = DispatchGroup()

  /// Starts to count. Call ``value()`` or ``stop()`` before the transaction ends.
  ///
  /// - Parameter queue: one of its own, because a writer may wait on each thread of the global one.
  init(
    _ session: WriteSession, on queue: DispatchQueue = DispatchQueue(label: "Roqua size")
  ) throws(DatabaseError) {
    readers = session.readers
    guard session.isUnchanged else {
      state = Mutex(.ended(.success(try session.connection.derivedSize())))
      return
    }
    state = Mutex(.waiting)
    queue.async(group: count) { [self] in
      if take() { run() }
    }
  }

  /// The size, as soon as it is counted. If no thread was free so far, this one counts.
  func value() throws(DatabaseError) -> MaintenanceReport.Size {
    if take() { run() } else { waitUntilEnded() }
    guard case .ended(let outcome) = state.withLock({ $0 }) else {
      preconditionFailure("the count has ended")
    }
    return try outcome.get()
  }

  /// Waits until nothing reads any more, without starting a count.
  func stop() {
    if take() { state.withLock { $0 = .stopped } } else { waitUntilEnded() }
  }

  /// Returns true to the one thread that is to count.
  private func take() -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running
      return true
    }
  }

  private func run() {
    let outcome = Outcome { () throws(DatabaseError) in
      try readers.derivedSize(for: cancellation)
    }
    state.withLock { $0 = .ended(outcome) }
  }

  /// Waits for the thread that counts, if there is one. It waits for nobody.
  private func waitUntilEnded() {
    if case .running = state.withLock({ $0 }) { count.wait() }
  }
}
