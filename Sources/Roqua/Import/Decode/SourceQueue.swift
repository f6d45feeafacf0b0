import Foundation
import GeoStore

/// Passes the kept fixes of one file from the thread that decodes it to the one that writes: those
/// of one source, or of the sources of an archive one after another.
///
/// Bounded: a decoder that is far ahead waits, so memory does not grow with the file.
// Unchecked: all state is only touched while `condition` is locked.
final class SourceQueue: @unchecked Sendable {
  /// The number of fixes that may wait, in batches; the last batch may exceed it.
  static let capacityFixes = 1 << 15
  /// The number of batches and ends that may wait.
  static let capacityElements = 64

  private let condition = NSCondition()
  /// Ends every wait of the writer; nil if the import cannot be canceled.
  private let cancellation: Cancellation?
  private var elements: [Element] = []
  private var unreadFixes = 0
  private var passedOver: PassedOver?
  private var isAbandoned = false

  /// An element that the writer receives.
  enum Element {
    case fixes([KeptFix])
    case end(DecodedSource)
    /// The import was canceled.
    case cancelled
  }

  /// Creates an empty queue.
  init(cancellation: Cancellation? = nil) { self.cancellation = cancellation }

  private var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Waits for a change; if the import can be canceled, for at most a twentieth of a second.
  private func waitForChange() {
    if cancellation == nil {
      condition.wait()
    } else {
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
  }

  // MARK: - The decoder's side

  /// Passes on fixes of the current source; waits while too many are unread.
  ///
  /// - Returns: false if the reader has stopped, so that decoding can stop too.
  func push(_ batch: [KeptFix]) -> Bool { add(.fixes(batch), fixes: batch.count) }

  /// Marks the end of the current source. Fixes pushed after that belong to the next one.
  ///
  /// - Returns: false if the reader has stopped.
  @discardableResult
  func end(_ source: DecodedSource) -> Bool { add(.end(source), fixes: source.weightOfCells) }

  /// Marks the end of the file.
  ///
  /// - Parameter passedOver: what was looked at and need not be reported file by file.
  func close(_ passedOver: PassedOver) {
    condition.lock()
    self.passedOver = passedOver
    condition.broadcast()
    condition.unlock()
  }

  /// True if the reader has stopped, so that decoding can stop too.
  var isLeft: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isAbandoned
  }

  /// The number of kept fixes that were not read yet.
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

  /// Waits for the next source; returns false if there are no more.
  func waitForSource() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty, passedOver == nil, !isCancelled { waitForChange() }
    return !elements.isEmpty && !isCancelled
  }

  /// Waits for at most `seconds` until the next answer is available without waiting: a source is
  /// complete or the queue is full, or there are no more sources.
  ///
  /// - Returns: true if an answer is available.
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

  /// The next fixes of the current source, or its end; waits for them.
  func next() -> Element {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty, !isCancelled { waitForChange() }
    guard !isCancelled else { return .cancelled }
    let element = elements.removeFirst()
    switch element {
    case .fixes(let batch): unreadFixes -= batch.count
    case .end(let source): unreadFixes -= source.weightOfCells
    case .cancelled: break
    }
    condition.broadcast()
    return element
  }

  /// Waits until the current source is complete or the queue is full. Returns the source if it is
  /// complete, otherwise nil.
  func waitForEndOrFull() -> DecodedSource? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      for case .end(let source) in elements { return source }
      if isFull || isCancelled { return nil }
      waitForChange()
    }
  }

  /// Marks the reader as stopped.
  func abandon() {
    condition.lock()
    isAbandoned = true
    elements = []
    condition.broadcast()
    condition.unlock()
  }
}
