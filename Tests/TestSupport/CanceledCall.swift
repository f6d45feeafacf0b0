import Dispatch
import Foundation

/// Makes an async call in a task of its own, and cancels the task a tenth of a second after it
/// began. The canceling is done by a thread, because tasks may wait long for their turn while many
/// tests run.
public func canceled<T: Sendable>(
  _ call: @escaping @Sendable () async throws -> T
) async -> Result<T, any Error> {
  let hasBegun = DispatchSemaphore(value: 0)
  let task = Task {
    hasBegun.signal()
    return try await call()
  }
  Thread {
    hasBegun.wait()
    Thread.sleep(forTimeInterval: 0.1)
    task.cancel()
  }.start()
  return await task.result
}
