import GeoStore
import Roqua
import Synchronization

/// Passes changes of the store on to pages as server-sent events.
///
/// A page that does not read keeps at most one event waiting: a newer one replaces it, and every
/// event means "look again". A heartbeat, which does not, never replaces one.
///
/// - Source: HTML Living Standard, 9.2 "Server-sent events".
final class ChangeEvents: Sendable {
  private struct Listener {
    let continuation: AsyncStream<[UInt8]>.Continuation
    let isAllowed: @Sendable () -> Bool
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var next = 0
    var isOpen = true
  }

  private let state = Mutex(State())

  /// A stream of events for one page.
  ///
  /// - Parameters:
  ///   - isAllowed: whether the page may still listen. The stream ends when it may not.
  ///   - onEnd: called once when the stream ends.
  func listen(
    whileAllowed isAllowed: @escaping @Sendable () -> Bool, onEnd: @escaping @Sendable () -> Void
  ) -> AsyncStream<[UInt8]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state -> Int? in
        guard state.isOpen else { return nil }
        state.next += 1
        state.listeners[state.next] = Listener(continuation: continuation, isAllowed: isAllowed)
        return state.next
      }
      continuation.onTermination = { _ in
        if let number { self.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
        onEnd()
      }
      // Answers at once, so that the page knows that it is connected.
      continuation.yield(Array("retry: 3000\n\n".utf8))
      if number == nil { continuation.finish() }
    }
  }

  /// Passes a change on.
  func send(_ change: StoreChange) {
    let areas = change.areas.map { JSONValue.string($0.description) }
    let document: JSONValue = [
      "regionsAdded": .integer(change.regionsAdded), "cellsAdded": .integer(change.cellsAdded),
      "areas": .array(areas), "isIncomplete": .bool(change.isIncomplete),
    ]
    sendAll("event: change\ndata: \(document)\n\n")
  }

  /// Keeps connections alive that proxies would close.
  func sendHeartbeat() {
    endForbidden()
    for listener in listeners {
      // What waits is sent instead.
      if case .dropped(let waiting) = listener.continuation.yield(Self.heartbeat) {
        listener.continuation.yield(waiting)
      }
    }
  }

  private static let heartbeat = Array(": \n\n".utf8)

  private func sendAll(_ text: String) {
    let bytes = Array(text.utf8)
    endForbidden()
    for listener in listeners { listener.continuation.yield(bytes) }
  }

  /// Ends the streams of pages that may not listen any more.
  func endForbidden() {
    for listener in listeners where !listener.isAllowed() { listener.continuation.finish() }
  }

  private var listeners: [Listener] { state.withLock { Array($0.listeners.values) } }

  /// Ends all streams.
  func close() {
    let listeners = state.withLock { state in
      state.isOpen = false
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.continuation.finish() }
  }
}
