import Dispatch
import Foundation
import GeoStore
import SQLiteLayer
import Synchronization
import TestSupport

/// A call on a thread of its own that can be canceled, as `Store.onThread` makes it for
/// a task. Needs no turn of a task, which may come late while many tests run.
final class CancelableCall<T: Sendable>: Sendable {
  private let cancellation = Cancellation()
  private let outcome = Mutex<Result<T, any Error>?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// A call that does not end.
  struct Endless: Error {}

  init(_ body: @escaping @Sendable () throws -> T) {
    Thread { [self] in
      let result = Result { try Cancellation.$current.withValue(cancellation) { try body() } }
      outcome.withLock { $0 = result }
      hasEnded.signal()
    }.start()
  }

  func cancel() { cancellation.cancel() }

  /// Waits for the end of the call; nil if it was interrupted.
  ///
  /// - Throws: the error of the call; ``Endless`` if it does not end.
  func wait() throws -> T? {
    guard hasEnded.wait(timeout: .now() + .seconds(Holders.longestSeconds)) == .success else {
      throw Endless()
    }
    do {
      return try outcome.withLock { $0 }?.get()
    } catch DatabaseError.interrupted {
      return nil
    }
  }
}
