import Foundation
import GeoStore

/// Threads that decode files in parallel. Both the files and the kept fixes ahead of the file being
/// written are limited in number.
// Unchecked: `queues`, `nextIndex`, `released` and `isStopped` are only touched while `condition`
// is locked.
final class DecoderPool: @unchecked Sendable {
  /// The maximum number of files decoded or waiting at once, whatever their size, and of threads.
  static let filesAhead = 16
  /// The maximum number of small files in addition to those already gathered: two batches.
  static let smallFilesAhead = 2 * SourceBatch.capacitySources
  /// The number of waiting kept fixes beyond which no file after the first ``filesAhead`` is
  /// started.
  static let fixesAhead = 2 * SourceBatch.capacityFixes

  private let files: [FoundFile]
  private let decoder: FileDecoder
  private let cancellation: Cancellation?
  private let condition = NSCondition()
  private var queues: [Int: SourceQueue] = [:]
  private var nextIndex = 0
  private var released = 0
  private var isStopped = false

  /// Starts decoding. There are as many threads as processors: the writer often waits.
  init(files: [FoundFile], decoder: FileDecoder, cancellation: Cancellation? = nil) {
    self.files = files
    self.decoder = decoder
    self.cancellation = cancellation
    for _ in 0..<min(files.count, ProcessInfo.processInfo.activeProcessorCount, Self.filesAhead) {
      let thread = Thread { [self] in work() }
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  /// The number of files started so far.
  var begunFiles: Int {
    condition.lock()
    defer { condition.unlock() }
    return nextIndex
  }

  /// The queue of a file, which is decoded now or soon.
  func queue(at index: Int) -> SourceQueue {
    condition.lock()
    defer { condition.unlock() }
    return queueWhileLocked(index)
  }

  /// Marks a file as finished, so that files after it may start. If it was not decoded yet, it
  /// never will be.
  func release(_ index: Int) {
    condition.lock()
    queues[index]?.abandon()
    queues[index] = nil
    released = index + 1
    nextIndex = max(nextIndex, released)
    condition.broadcast()
    condition.unlock()
  }

  /// Ends all threads at their next step.
  func stop() {
    condition.lock()
    isStopped = true
    for queue in queues.values { queue.abandon() }
    condition.broadcast()
    condition.unlock()
  }

  private func work() {
    while let (index, queue) = claim() { decoder.decode(files[index], into: queue) }
  }

  /// The next file, in order: the one that the writer waits for is always claimed first.
  private func claim() -> (Int, SourceQueue)? {
    condition.lock()
    defer { condition.unlock() }
    while !isStopped, nextIndex < files.count, isFarAhead { condition.wait() }
    guard !isStopped, nextIndex < files.count else { return nil }
    defer { nextIndex += 1 }
    return (nextIndex, queueWhileLocked(nextIndex))
  }

  /// True if enough is decoded ahead of the writer. Checked again when the writer finishes a file.
  private var isFarAhead: Bool {
    let ahead = nextIndex - released
    guard ahead >= Self.filesAhead else { return false }
    return ahead >= Self.smallFilesAhead
      || queues.values.reduce(0) { $0 + $1.waitingFixes } >= Self.fixesAhead
  }

  private func queueWhileLocked(_ index: Int) -> SourceQueue {
    if let queue = queues[index] { return queue }
    let queue = SourceQueue(cancellation: cancellation)
    queues[index] = queue
    return queue
  }
}
