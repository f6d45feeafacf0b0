import Dispatch
import Foundation

/// Makes an async call several times, one after the other, and cancels its task a tenth of a second
/// after each began.
///
/// The tasks have a high priority and a thread cancels them: tasks of the usual one may wait for
/// minutes for their turn while all tests run.
public func canceled<T: Sendable>(
  times count: Int = 1, _ call: @escaping @Sendable () async throws -> T
) async -> [Result<T, any Error>] {
  await Task(priority: .high) {
    var results: [Result<T, any Error>] = []
    for _ in 0..<count {
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
      results.append(await task.result)
    }
    return results
  }.value
}
