import Dispatch

/// Runs an actor's jobs one after another on a dispatch queue, where they may block, as SQLite
/// does.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Creates an executor with its own queue.
  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
