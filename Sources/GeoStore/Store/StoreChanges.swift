import Dispatch
import SQLiteLayer
import Synchronization

extension Store {
  /// The committed changes of the store, including those of other processes. Changes of other
  /// processes are noticed within a quarter of a second, unless this store is read-only or its file
  /// does not exist yet. Listening starts with the first iteration.
  public var changes: StoreChanges { StoreChanges(of: self) }
}

/// The listeners to a store's changes, and the changes that each has not received yet.
///
/// A writer only merges its change into each listener's pending change, so no listener can delay
/// the writer, and pending changes stay bounded (``StoreChange/merge(_:)``).
final class StoreListeners: Sendable {
  /// The changes that a listener waits for.
  enum Subject: Sendable { case everything, settings }

  /// One listener.
  final class Listener: Sendable {
    /// The changes that the listener waits for.
    let subject: Subject
    private let state = Mutex(
      (waiting: StoreChange(), continuation: CheckedContinuation<Void, Never>?.none))

    init(subject: Subject) { self.subject = subject }

    /// Adds a change to the pending one and wakes the listener, if the change concerns it.
    func add(_ whole: StoreChange) {
      var change = whole
      if subject == .settings {
        change = StoreChange()
        change.settings = whole.settings
      }
      guard !change.isEmpty else { return }
      let continuation = state.withLock { state in
        state.waiting.merge(change)
        return state.continuation.take()
      }
      continuation?.resume()
    }

    /// Takes the pending change; nil if there is none.
    func take() -> StoreChange? {
      state.withLock { state in
        guard !state.waiting.isEmpty else { return nil }
        defer { state.waiting = StoreChange() }
        return state.waiting
      }
    }

    /// Returns the next change; nil once the task is canceled.
    func next() async -> StoreChange? {
      while !Task.isCancelled {
        if let change = take() { return change }
        await wait()
      }
      return nil
    }

    /// Waits until there is a pending change or the task is canceled.
    private func wait() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if !keep(continuation) { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.continuation.take() }?.resume()
      }
    }

    /// Keeps the continuation for the next change. Returns false, and does not keep it, if there is
    /// a pending change already or the task is canceled.
    private func keep(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
      state.withLock { state in
        guard state.waiting.isEmpty, !Task.isCancelled else { return false }
        state.continuation = continuation
        return true
      }
    }
  }

  private struct WeakListener { weak var listener: Listener? }
  private struct State {
    var listeners: [WeakListener] = []
    /// Whether a listener was added since the last look at the state after which changes of other
    /// processes are announced.
    var isStateOutdated = false

    var isEmpty: Bool { listeners.allSatisfy { $0.listener == nil } }
  }
  private let state = Mutex(State())

  /// Whether there are no listeners.
  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Whether a listener waits for more than changes of settings.
  var needsEverything: Bool {
    state.withLock { state in
      state.listeners.contains { $0.listener?.subject == .everything }
    }
  }

  /// Whether a first listener was added since the last call of ``takeOutdatedState()``.
  var isStateOutdated: Bool { state.withLock { $0.isStateOutdated } }

  /// Adds a listener, which receives the changes committed from now on until it is released.
  func add(for subject: Subject) -> Listener {
    let listener = Listener(subject: subject)
    state.withLock { state in
      state.listeners.removeAll { $0.listener == nil }
      if state.listeners.isEmpty { state.isStateOutdated = true }
      state.listeners.append(WeakListener(listener: listener))
    }
    return listener
  }

  /// Returns whether the state after which changes of other processes are announced is outdated,
  /// and marks it as up to date.
  func takeOutdatedState() -> Bool {
    state.withLock { state in
      defer { state.isStateOutdated = false }
      return state.isStateOutdated
    }
  }

  /// Passes a change to all listeners.
  func announce(_ change: StoreChange) {
    guard !change.isEmpty else { return }
    for entry in state.withLock({ $0.listeners }) { entry.listener?.add(change) }
  }
}

/// The committed changes of a store, by any process, in the order of their transactions. Changes
/// that arrive while the previous one is being handled are merged into one.
///
/// ```swift
/// for await change in explorer.changes where change.regionsAdded > 0 {
///   print("\(change.regionsAdded) new regions in \(change.areas.count) areas")
/// }
/// ```
public struct StoreChanges: AsyncSequence, Sendable {
  private let store: Store

  init(of store: Store) { self.store = store }

  /// Starts listening: the iterator returns changes committed from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(listener: store.addListener(for: .everything), watcher: ForeignChanges(of: store))
  }

  /// An iterator that waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    let listener: StoreListeners.Listener
    let watcher: ForeignChanges

    /// Returns the next change; nil once the task is canceled.
    public mutating func next() async -> StoreChange? { await listener.next() }
  }
}

/// Checks at intervals, as long as it exists, whether another process has changed a store.
///
/// Unchecked `Sendable`: the timer is only accessed in `init` and `deinit`.
final class ForeignChanges: @unchecked Sendable {
  /// Time between two checks. A check is a statement of some microseconds.
  static let interval = DispatchTimeInterval.milliseconds(250)

  private let timer: any DispatchSourceTimer

  init(of store: Store) {
    timer = DispatchSource.makeTimerSource(
      queue: DispatchQueue(label: "Roqua changes", qos: .utility))
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    timer.setEventHandler { [weak store] in store?.lookForForeignChange() }
    timer.resume()
  }

  deinit { timer.cancel() }
}
