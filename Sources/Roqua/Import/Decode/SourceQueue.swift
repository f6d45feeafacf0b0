import Foundation
import GeoStore
import TrackIngest

/// Carries the kept fixes of one file from the thread that decodes it to the one that writes: one
/// source, or those of an archive one after the other.
///
/// Bounded: a decoder that is far ahead waits, so that memory does not grow with the file.
// Unchecked: all state is only touched while `condition` is locked.
final class SourceQueue: @unchecked Sendable {
  /// Fixes that may wait, in batches; one batch may go beyond.
  static let capacityFixes = 1 << 15
  /// Batches and ends that may wait.
  static let capacityElements = 64

  private let condition = NSCondition()
  /// Ends every wait of the writer; nil where nobody can cancel.
  private let cancellation: Cancellation?
  private var elements: [Element] = []
  private var unreadFixes = 0
  private var passedOver: PassedOver?
  private var isAbandoned = false

  /// What the writer gets.
  enum Element {
    case fixes([KeptFix])
    case end(DecodedSource)
    /// The import was cancelled.
    case cancelled
  }

  /// An empty queue.
  init(cancellation: Cancellation? = nil) { self.cancellation = cancellation }

  private var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Waits for a change; where somebody can cancel, at most a twentieth of a second.
  private func waitForChange() {
    if cancellation == nil {
      condition.wait()
    } else {
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
  }

  // MARK: - The decoder's side

  /// Hands over fixes of the present source; waits while too many are unread.
  ///
  /// - Returns: false where nobody will read them, so that decoding may stop.
  func push(_ batch: [KeptFix]) -> Bool { add(.fixes(batch), fixes: batch.count) }

  /// Says that the present source has ended. What is pushed after that belongs to the next one.
  ///
  /// - Returns: false where nobody reads any more.
  @discardableResult
  func end(_ source: DecodedSource) -> Bool { add(.end(source), fixes: 0) }

  /// Says that the file has ended.
  ///
  /// - Parameter passedOver: what was looked at and need not be reported file by file.
  func close(_ passedOver: PassedOver) {
    condition.lock()
    self.passedOver = passedOver
    condition.broadcast()
    condition.unlock()
  }

  /// Whether nobody reads any more, so that decoding may stop.
  var isLeft: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isAbandoned
  }

  /// Kept fixes that nobody has read yet.
  var waitingFixes: Int {
    condition.lock()
    defer { condition.unlock() }
    return unreadFixes
  }

  private func add(_ element: Element, fixes: Int) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while isFull, !isAbandoned { condition.wait() }
    guard !isAbandoned else { return false }
    elements.append(element)
    unreadFixes += fixes
    condition.broadcast()
    return true
  }

  private var isFull: Bool {
    unreadFixes >= Self.capacityFixes || elements.count >= Self.capacityElements
  }

  // MARK: - The writer's side

  /// Waits for the next source: false where there is none any more.
  func waitForSource() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty, passedOver == nil, !isCancelled { waitForChange() }
    return !elements.isEmpty && !isCancelled
  }

  /// Waits so many seconds for what is next to be told without waiting: a source that is known
  /// whole or of which no more can be without reading, or that there is none any more.
  ///
  /// - Returns: whether it came to that.
  func waitForNews(atMost seconds: TimeInterval) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: max(0, seconds))
    while !(hasEnd || isFull || (elements.isEmpty && passedOver != nil) || isCancelled) {
      guard condition.wait(until: deadline) else { return false }
    }
    return true
  }

  private var hasEnd: Bool {
    elements.contains { element in if case .end = element { true } else { false } }
  }

  /// Files that were passed over, once ``waitForSource()`` has given false.
  var filesPassedOver: PassedOver {
    condition.lock()
    defer { condition.unlock() }
    return passedOver ?? PassedOver()
  }

  /// The next fixes of the present source, or its end; waits for them.
  func next() -> Element {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty, !isCancelled { waitForChange() }
    guard !isCancelled else { return .cancelled }
    let element = elements.removeFirst()
    if case .fixes(let batch) = element { unreadFixes -= batch.count }
    condition.broadcast()
    return element
  }

  /// Waits until the present source is known whole or no more of it can be without reading: what
  /// became of it, or nil.
  func waitForEndOrFull() -> DecodedSource? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      for case .end(let source) in elements { return source }
      if isFull || isCancelled { return nil }
      waitForChange()
    }
  }

  /// Says that nobody reads any more.
  func abandon() {
    condition.lock()
    isAbandoned = true
    elements = []
    condition.broadcast()
    condition.unlock()
  }
}

/// Files of a folder or an archive that are not reported one by one.
struct PassedOver: Sendable {
  /// Files that hold no tracks.
  var ignored = 0
  /// Files that hold tracks and cannot be read yet, by kind.
  var unsupported: [UnsupportedKind: Int] = [:]
}

/// What a decoder knows of a source at its end.
struct DecodedSource: Sendable {
  /// The path of the file as given, for a member of an archive joined with its name.
  let path: String
  /// Nil where it could not be read to its end, or was refused.
  var sha256: String?
  /// Bytes of its contents: of a compressed file what they expand to.
  var bytes = 0
  var report = TrackReport()
  /// Those of the report's warnings that tell what an archive has left out.
  var leftOut: [IngestWarning] = []
  /// Whether the bytes were found in the store before they were decoded.
  var isKnownDuplicate = false
}
