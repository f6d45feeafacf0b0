import Foundation
import Synchronization

/// The lock of a store's only writer. A thread that takes it twice would wait for itself for ever:
/// it traps instead, and says so.
final class WriterLock: Sendable {
  private let lock = NSLock()
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
      "A write inside a write of the same store would wait for itself: use the session of the outer one.")
    lock.lock()
    owner.store(thread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      lock.unlock()
    }
    return try body()
  }

  /// Runs `body` where no thread has the lock now, else returns nil.
  func withLockIfFree<T>(_ body: () -> T) -> T? {
    guard lock.try() else { return nil }
    owner.store(Self.currentThread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      lock.unlock()
    }
    return body()
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
