import Foundation
import Roqua
import Synchronization

/// A line on a terminal that tells how far an import or a backup is. Nothing in a pipe.
final class ProgressLine: Sendable {
  private struct State {
    var bytes = 0
    var points = 0
    var shown: ContinuousClock.Instant
  }

  private let start = ContinuousClock.now
  private let state: Mutex<State>

  /// A line on standard error, or nil where that is no terminal.
  init?() {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    state = Mutex(State(shown: start))
  }

  /// Takes a finished file in; the line changes ten times a second at most.
  func take(_ report: FileReport, index: Int, of filesFound: Int) {
    let text: String? = state.withLock { state in
      state.bytes += report.bytes
      state.points += report.track.points
      let now = ContinuousClock.now
      guard now - state.shown >= .milliseconds(100) else { return nil }
      state.shown = now
      let seconds = (now - start) / .seconds(1)
      let done = index + 1
      let left = seconds / Double(done) * Double(filesFound - done)
      return "\(Wording.count(done)) of \(Wording.count(filesFound, "file")), \(Wording.bytes(state.bytes)), "
        + "\(Wording.count(Int(Double(state.points) / seconds))) points/s, "
        + "\(Wording.decimal(left.rounded(), 0)) s left"
    }
    if let text { show(text) }
  }

  /// Takes in how far a copy is; the line changes ten times a second at most.
  func take(pages: Int, of allPages: Int) {
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      guard now - state.shown >= .milliseconds(100) else { return false }
      state.shown = now
      return true
    }
    if isDue { show("\(Wording.count(pages)) of \(Wording.count(allPages, "page")) copied") }
  }

  /// Takes the line away.
  func end() { show("") }

  /// Writes over the line: back to its start, and clear to its end (ECMA-48 CR and EL).
  private func show(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
  }
}
