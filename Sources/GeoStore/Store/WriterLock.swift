import Foundation
import Synchronization

/// The lock of a store's only writer. Locking it twice on one thread, which would deadlock, traps
/// with a message.
final class WriterLock: Sendable {
  private let lock = Mutex(())
  /// The thread that holds the lock; 0 if none does.
  private let owner = Atomic<UInt>(0)

  /// Runs `body` while holding the lock.
  ///
  /// - Precondition: the calling thread does not hold the lock.
  func withLock<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    let thread = Self.currentThread
    // Only this thread stores this value, so relaxed order is enough.
    precondition(
      owner.load(ordering: .relaxed) != thread,
      "A write inside another write of the same store would wait for itself; use the session "
        + "of the outer one."
    )
    // The result is returned in a variable, because a mutex returns only values that may change
    // threads.
    var result: Result<T, Failure>?
    lock.withLock { _ in
      owner.store(thread, ordering: .relaxed)
      result = Result { () throws(Failure) in try body() }
      owner.store(0, ordering: .relaxed)
    }
    guard let result else { preconditionFailure("a mutex did not run its body") }
    return try result.get()
  }

  /// Runs `body` if the lock is free; otherwise does nothing.
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
