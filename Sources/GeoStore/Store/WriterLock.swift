import Dispatch
import Foundation
import SQLiteLayer
import Synchronization

/// The lock of a store's only writer. Locking it twice on one thread, which would deadlock, traps
/// with a message.
final class WriterLock: Sendable {
  private let turn = DispatchSemaphore(value: 1)
  /// The thread that holds the lock; 0 if none does.
  private let owner = Atomic<UInt>(0)

  /// Runs `body` while holding the lock.
  ///
  /// - Parameter cancellation: ends the wait for the lock; nil if the work cannot be canceled.
  /// - Precondition: the calling thread does not hold the lock.
  /// - Returns: nil if the work was canceled while another thread held the lock.
  func withLock<T, Failure: Error>(
    unless cancellation: Cancellation?, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T? {
    // Only this thread stores this value, so relaxed order is enough.
    precondition(
      owner.load(ordering: .relaxed) != Self.currentThread,
      "A write inside another write of the same store would wait for itself; use the session "
        + "of the outer one."
    )
    guard turn.wait(unless: cancellation?.test) else { return nil }
    begin()
    defer { end() }
    return try body()
  }

  /// Runs `body` if the lock is free; otherwise does nothing.
  func withLockIfFree(_ body: () -> Void) {
    guard turn.wait(timeout: .now()) == .success else { return }
    begin()
    defer { end() }
    body()
  }

  // The semaphore orders what its owners do. The thread sanitizer does not know that, but it sees
  // that each owner acquires what the one before released.

  private func begin() {
    _ = owner.exchange(Self.currentThread, ordering: .acquiring)
  }

  private func end() {
    owner.store(0, ordering: .releasing)
    turn.signal()
  }

  /// A number that no other thread has at the same time.
  private static var currentThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
