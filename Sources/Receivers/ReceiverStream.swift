import Foundation

/// A receiver that is read on its own thread: opened, read, and opened again after it was lost,
/// with growing pauses.
///
/// What happens waits in a queue of bounded size. If that is full, the thread waits too, so that a
/// fast stream is read no faster than it is used; a serial line then loses bytes as soon as the
/// system's own buffer is full.
package final class ReceiverStream: Sendable {
  /// What happens to a receiver.
  package enum Event: Sendable {
    /// It was opened.
    case opened
    /// Bytes came.
    case bytes([UInt8])
    /// It was lost, or could not be opened; the next attempt follows after a pause. Each loss is
    /// reported, and each failed attempt.
    case lost(ReceiverError, retrySeconds: Double)
    /// The stream has ended for good, because of an error if there is one.
    case ended(ReceiverError?)
  }

  /// An event.
  package struct Item: Sendable {
    /// What happened.
    package let event: Event
    /// The time in seconds that the receiver was silent before.
    package let silenceSeconds: Double
  }

  private struct State {
    var items: [Item] = []
    var first = 0
    var bytes = 0
    var isStopped = false
    /// True if the present connection gave good data.
    var isGood = false
  }

  /// The most bytes that wait in the queue.
  package static let capacity = 1 << 20
  private static let pieceLength = 1 << 16
  /// The longest time in milliseconds until a stop is noticed.
  private static let patienceMilliseconds: Int32 = 200

  private let options: ByteSource.Options
  private let reconnects: Bool
  private let condition = NSCondition()
  /// Protected by the lock of the condition.
  private let state = Protected(State())

  /// `@unchecked Sendable`: the value is used only while the condition is locked.
  private final class Protected<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - options: what to read.
  ///   - reconnects: false to end when the receiver is lost, or cannot be opened.
  package init(_ options: ByteSource.Options, reconnects: Bool) {
    self.options = options
    self.reconnects = reconnects
    let thread = Thread { [self] in run() }
    thread.name = "Roqua receiver"
    thread.start()
  }

  /// Stops reading. Events that wait can still be taken.
  package func stop() {
    condition.withLock { state.value.isStopped = true }
    condition.broadcast()
  }

  /// The number of bytes that wait.
  var waitingBytes: Int { condition.withLock { state.value.bytes } }

  /// Notes that the bytes of the present connection can be read. Should it be lost, the pause
  /// before the next attempt is the shortest one.
  package func noteGoodData() { condition.withLock { state.value.isGood = true } }

  /// Waits for the next event, at most until a moment.
  ///
  /// - Returns: the event; nil if none came in time.
  package func next(until deadline: ContinuousClock.Instant) -> Item? {
    condition.lock()
    defer { condition.unlock() }
    while state.value.first == state.value.items.count {
      let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
      guard left > 0 else { return nil }
      _ = condition.wait(until: Date(timeIntervalSinceNow: left))
    }
    let item = state.value.items[state.value.first]
    state.value.first += 1
    if case .bytes(let bytes) = item.event { state.value.bytes -= bytes.count }
    if state.value.first == state.value.items.count {
      state.value.items.removeAll(keepingCapacity: true)
      state.value.first = 0
    }
    condition.broadcast()
    return item
  }

  // MARK: The thread

  /// Adds an event as soon as there is room.
  ///
  /// - Returns: false if the stream is stopped.
  private func add(_ event: Event, silenceSeconds: Double = 0) -> Bool {
    let item = Item(event: event, silenceSeconds: silenceSeconds)
    condition.lock()
    defer { condition.unlock() }
    var count = 0
    if case .bytes(let bytes) = event { count = bytes.count }
    while !state.value.isStopped, count > 0, state.value.bytes + count > Self.capacity {
      condition.wait()
    }
    guard !state.value.isStopped else { return false }
    state.value.items.append(item)
    state.value.bytes += count
    condition.broadcast()
    return true
  }

  private var isStopped: Bool { condition.withLock { state.value.isStopped } }

  private func run() {
    var pause = RetryPause()
    var isFirst = true
    var random = SystemRandomNumberGenerator()
    while !isStopped {
      let failure: ReceiverError
      do throws(ReceiverError) {
        let source = try ByteSource(options)
        guard add(.opened), let end = read(source) else { return }
        if condition.withLock({ state.value.isGood }) { pause.reset() }
        if source.kind == .finite {
          _ = add(.ended(end.error))
          return
        }
        if !reconnects, end.error == nil {
          _ = add(.ended(nil))
          return
        }
        failure = end.error ?? ReceiverError("the connection was closed")
      } catch {
        failure = error
      }
      let isTypo = isFirst && failure.isMissing && !options.address.isDevice
      isFirst = false
      guard reconnects, !failure.isFinal, !isTypo else {
        _ = add(.ended(failure))
        return
      }
      let seconds = pause.seconds(using: &random)
      guard add(.lost(failure, retrySeconds: seconds)) else { return }
      sleep(seconds)
    }
  }

  private struct End { let error: ReceiverError? }

  /// Reads until the end.
  ///
  /// - Returns: why the source ended; nil if the stream was stopped.
  private func read(_ source: ByteSource) -> End? {
    condition.withLock { state.value.isGood = false }
    var buffer = [UInt8](repeating: 0, count: Self.pieceLength)
    var start = ContinuousClock.now
    while !isStopped {
      let reading = buffer.withUnsafeMutableBytes {
        source.read(into: $0, milliseconds: Self.patienceMilliseconds)
      }
      switch reading {
      case .bytes(let count):
        let silence = start.duration(to: .now) / .seconds(1)
        guard add(.bytes(Array(buffer[..<count])), silenceSeconds: silence) else { return nil }
        // The wait for room in the queue is no silence of the receiver.
        start = .now
      case .nothing: break
      case .end(let error): return End(error: error)
      }
    }
    return nil
  }

  private func sleep(_ seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !state.value.isStopped, condition.wait(until: end) {}
  }
}
