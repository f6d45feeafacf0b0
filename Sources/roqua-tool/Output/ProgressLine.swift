import Foundation
import Synchronization

/// One line on the terminal that standard error is, which changes until the work has ended.
///
/// Short work shows nothing: the first line appears after ``delaySeconds``.
final class ProgressLine: Sendable {
  /// The time between two states of the line, in seconds.
  private static let intervalSeconds = 0.1
  /// The time before the first line, in seconds.
  static let delaySeconds = 0.5

  /// How far the work is, as comma-separated parts of the line.
  struct State {
    /// The parts, in the order in which they are shown.
    var parts: [String]
    /// The indexes of the parts, most important first: on a narrow terminal the last are left out.
    var importance: [Int]
    /// The share that is done, 0...1; nil if unknown, so that no time left is shown.
    var share: Double?
    /// When the work began of which that is a share; nil for the start of the line.
    var start: ContinuousClock.Instant?
  }

  /// Whether anything was shown yet, or ever will be again.
  private enum Phase {
    case hidden, shown, ended
  }

  private let start = ContinuousClock.now
  private let phase = Mutex(Phase.hidden)
  private let state: @Sendable (_ seconds: Double) -> State?

  /// Shows a line until ``end()``; nil if standard error is no terminal.
  ///
  /// - Parameter state: returns how far the work is, on a thread of the line; nil to show nothing
  ///   yet. Its argument is the time since the start.
  init?(_ state: @escaping @Sendable (_ seconds: Double) -> State?) {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    self.state = state
    Thread.detachNewThread { [self] in
      Thread.sleep(forTimeInterval: Self.delaySeconds)
      while show() { Thread.sleep(forTimeInterval: Self.intervalSeconds) }
    }
  }

  /// Erases the line; it does not appear again.
  func end() {
    phase.withLock { phase in
      if phase == .shown { Console.overwriteLine(with: "") }
      phase = .ended
    }
  }

  /// Shows the present state; returns false after the end.
  private func show() -> Bool {
    phase.withLock { phase in
      guard phase != .ended else { return false }
      let now = ContinuousClock.now
      if let state = state((now - start) / .seconds(1)) {
        phase = .shown
        let seconds = (now - (state.start ?? start)) / .seconds(1)
        // The last column stays free: some terminals begin a new line after it.
        let columns = ProgressWidth.ofStandardError() - 1
        Console.overwriteLine(with: Self.text(state, seconds: seconds, columns: columns))
      }
      return true
    }
  }

  /// The line of a state, at most `columns` long.
  static func text(_ state: State, seconds: Double, columns: Int) -> String {
    var (parts, importance) = (state.parts, state.importance)
    if let share = state.share, share > 0 {
      // As if the rest took as long for each percent as what is done.
      importance.insert(parts.count, at: min(1, importance.count))
      parts.append(timeLeft(max(0, seconds / share - seconds)))
    }
    return ProgressWidth.fit(parts, importance: importance, columns: columns)
  }

  /// `34 s left`, `12 min left`, `3 h left`.
  private static func timeLeft(_ seconds: Double) -> String {
    if seconds < 100 { return "\(Wording.decimal(seconds.rounded(), 0)) s left" }
    return "\(Wording.duration(seconds)) left"
  }
}
