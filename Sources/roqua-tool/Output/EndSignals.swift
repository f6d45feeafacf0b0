import Dispatch
import Foundation
import Synchronization

/// The signals that end a command which runs until then: SIGINT and SIGTERM. The first one is
/// noted, so that the command can end what it is doing; the second one ends it at once, unless it
/// comes within half a second: `timeout` signals the program and then its whole group.
final class EndSignals: Sendable {
  private static let numbers = [SIGINT, SIGTERM]
  private let queue = DispatchQueue(label: "signals")
  private let ended = DispatchSemaphore(value: 0)
  private let hasEnded = Atomic(false)
  /// `nonisolated(unsafe)`: used only on the queue, which is serial.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// Notes signals from now on.
  init() {
    let observed = DispatchSemaphore(value: 0)
    queue.sync {
      for number in Self.numbers {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { [self] in note() }
        source.setRegistrationHandler { observed.signal() }
        source.resume()
        sources.append(source)
      }
    }
    // A source is registered on another thread; until then, an ignored signal would be lost.
    for _ in Self.numbers { observed.wait() }
  }

  /// Called on the queue.
  private func note() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    ended.signal()
    queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [self] in
      for number in Self.numbers { signal(number, SIG_DFL) }
      sources.forEach { $0.cancel() }
      sources = []
    }
  }

  /// Waits for the first signal.
  func wait() {
    if !hasEnded.load(ordering: .acquiring) { ended.wait() }
  }

  /// Waits for the first signal, or for a time.
  ///
  /// - Returns: whether the signal has come.
  func wait(milliseconds: Int) -> Bool {
    hasEnded.load(ordering: .acquiring)
      || ended.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
