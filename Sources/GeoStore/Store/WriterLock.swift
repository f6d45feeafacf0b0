import Foundation
import Synchronization

/// The lock of a store's only writer. A thread that takes it twice would wait for itself for ever:
/// it traps instead, and says so.
final class WriterLock: Sendable {
  private let lock = Mutex(())
  /// The thread that has the lock; 0 for none.
  private let owner = Atomic<UInt>(0)

  /// Runs `body` while no other thread runs one.
  ///
  /// - Precondition: the calling thread is not running one already.
  func withLock<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    let thread = Self.currentThread
    // Only this thread stores this value, so no order is needed.
    precondition(
      owner.load(ordering: .relaxed) != thread,
      "A write inside a write of the same store would wait for itself: use the session of the "
        + "outer one."
    )
    // The result goes out by a variable: a mutex returns only what may change threads.
    var result: Result<T, Failure>?
    lock.withLock { _ in
      owner.store(thread, ordering: .relaxed)
      result = Result { () throws(Failure) in try body() }
      owner.store(0, ordering: .relaxed)
    }
    guard let result else { preconditionFailure("a mutex did not run its body") }
    return try result.get()
  }

  /// Runs `body` if no thread has the lock now; otherwise does nothing.
  func withLockIfFree(_ body: () -> Void) {
    _ = lock.withLockIfAvailable { _ in
      owner.store(Self.currentThread, ordering: .relaxed)
      body()
      owner.store(0, ordering: .relaxed)
    }
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
