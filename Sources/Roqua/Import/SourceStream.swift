import Foundation
import GeoStore
import TrackIngest

/// Carries the kept fixes of one file from the thread that decodes it to the one that writes.
///
/// Bounded: a decoder that is far ahead waits, so that memory does not grow with the file.
// Unchecked: all state is only touched while `condition` is locked.
final class SourceStream: @unchecked Sendable {
  /// Batches that may wait. A file that fits is known whole before the store is touched.
  static let capacity = 8

  private let condition = NSCondition()
  private var batches: [[KeptFix]] = []
  private var outcome: DecodedFile?
  private var isAbandoned = false

  /// What the writer gets.
  enum Element {
    case fixes([KeptFix])
    case end(DecodedFile)
  }

  /// Hands over fixes; waits while too many batches are unread.
  ///
  /// - Returns: false where nobody will read them, so that decoding may stop.
  func push(_ batch: [KeptFix]) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while batches.count >= Self.capacity, !isAbandoned { condition.wait() }
    guard !isAbandoned else { return false }
    batches.append(batch)
    condition.broadcast()
    return true
  }

  /// Says that the file has ended.
  func end(_ decoded: DecodedFile) {
    condition.lock()
    outcome = decoded
    condition.broadcast()
    condition.unlock()
  }

  /// The next fixes, or the end; waits for them.
  func next() -> Element {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if !batches.isEmpty {
        let batch = batches.removeFirst()
        condition.broadcast()
        return .fixes(batch)
      }
      if let outcome { return .end(outcome) }
      condition.wait()
    }
  }

  /// Waits until the whole file is known or no more of it can be without reading: what became of it, or nil.
  func waitForEndOrFull() -> DecodedFile? {
    condition.lock()
    defer { condition.unlock() }
    while outcome == nil, batches.count < Self.capacity { condition.wait() }
    return outcome
  }

  /// Says that nobody reads any more.
  func abandon() {
    condition.lock()
    isAbandoned = true
    batches = []
    condition.broadcast()
    condition.unlock()
  }
}

/// What a decoder knows of a file at its end.
struct DecodedFile: Sendable {
  /// Nil where the file could not be read to its end, or was refused.
  var sha256: String?
  var bytes = 0
  var report: TrackReport
  /// Whether the bytes were found in the store before they were decoded.
  var isKnownDuplicate = false
}
