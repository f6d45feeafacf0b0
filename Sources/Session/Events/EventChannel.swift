import Synchronization

/// Passes events to any number of listeners, none of which can delay the sender.
///
/// Each listener has a queue of its own. A full queue loses its oldest events, and the listener
/// then gets an event with their number instead. Events arrive in the order in which they
/// were sent, the same for all listeners.
///
/// `Explorer.events` of the module `Roqua` listens to one:
///
/// - Complexity: sending is O(listeners).
package final class EventChannel<Event: Sendable>: Sendable {
  /// The number of events that wait for a listener before the oldest are lost.
  package static var defaultCapacity: Int { 4_096 }

  private struct State {
    var queues: [ObjectIdentifier: Weak] = [:]
  }
  private struct Weak { weak var queue: EventQueue<Event>? }

  private let state = Mutex(State())
  private let missed: @Sendable (Int) -> Event

  /// Creates a channel without listeners.
  ///
  /// - Parameter missed: makes the event that stands for a number of lost ones.
  package init(missed: @escaping @Sendable (Int) -> Event) { self.missed = missed }

  /// Whether nobody listens, so that events need not be made.
  package var isEmpty: Bool {
    state.withLock { $0.queues.values.allSatisfy { $0.queue == nil } }
  }

  /// Sends events, in order.
  package func send(_ events: some Collection<Event> & Sendable) {
    guard !events.isEmpty else { return }
    // Under one lock, so that every listener has the same order.
    let waiting = state.withLock { state in
      state.queues.values.flatMap { $0.queue?.append(events) ?? [] }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Starts to listen: the sequence has the events sent from now on. It listens until it is
  /// released, and ends when its task is canceled.
  ///
  /// - Parameter capacity: the number of events that wait before the oldest are lost, at least 1.
  package func events(capacity: Int = defaultCapacity) -> EventSequence<Event> {
    let queue = EventQueue<Event>(capacity: max(1, capacity), missed: missed)
    state.withLock { state in
      state.queues = state.queues.filter { $0.value.queue != nil }
      state.queues[ObjectIdentifier(queue)] = Weak(queue: queue)
    }
    return EventSequence(queue: queue)
  }
}

/// The events of one listener. Several iterators share them: each event goes to one.
///
/// ```swift
/// let events = explorer.events
/// let listener = Task {
///   for await event in events { print(event) }
/// }
/// print(try await explorer.importTracks(at: tracks).kept)
/// listener.cancel()
/// ```
public struct EventSequence<Event: Sendable>: AsyncSequence, Sendable {
  fileprivate let queue: EventQueue<Event>

  /// Creates the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

  /// Waits for events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue<Event>

    /// Returns the next event; nil once the task is canceled.
    public mutating func next() async -> Event? { await queue.next() }
  }
}

/// The queue of one listener: a ring of bounded size.
final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var ring: [Event] = []
    var head = 0
    var lost = 0
    var waiting: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { ring.count == head && lost == 0 }

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [] }
      return waiting
    }
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let missed: @Sendable (Int) -> Event

  init(capacity: Int, missed: @escaping @Sendable (Int) -> Event) {
    (self.capacity, self.missed) = (capacity, missed)
  }

  /// The number of events in memory, among them some that were taken or lost.
  var heldCount: Int { state.withLock { $0.ring.count } }

  /// Appends events, and returns whom to wake.
  func append(_ events: some Collection<Event>) -> [CheckedContinuation<Void, Never>] {
    state.withLock { state in
      let tooMany = events.count - capacity
      if tooMany > 0 { state.lost += tooMany }
      state.ring.append(contentsOf: events.suffix(capacity))
      let excess = state.ring.count - state.head - capacity
      if excess > 0 {
        state.head += excess
        state.lost += excess
      }
      // The array is at most twice as long as what waits, so moving costs O(1) for each event.
      if state.head >= capacity {
        state.ring.removeFirst(state.head)
        state.head = 0
      }
      return state.takeWaiting()
    }
  }

  private func take() -> Event? {
    state.withLock { state in
      if state.lost > 0 {
        defer { state.lost = 0 }
        return missed(state.lost)
      }
      guard state.head < state.ring.count else { return nil }
      defer {
        state.head += 1
        if state.head == state.ring.count {
          state.ring.removeAll(keepingCapacity: true)
          state.head = 0
        }
      }
      return state.ring[state.head]
    }
  }

  func next() async -> Event? {
    while !Task.isCancelled {
      if let event = take() { return event }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            guard state.isEmpty, !Task.isCancelled else { return true }
            state.waiting.append(continuation)
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        for continuation in state.withLock({ $0.takeWaiting() }) { continuation.resume() }
      }
    }
    return nil
  }
}
