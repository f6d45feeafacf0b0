import Dispatch

/// Runs an actor's work on a queue of Dispatch, one job after another: it may block, as SQLite
/// does.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor with a queue of its own.
  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
