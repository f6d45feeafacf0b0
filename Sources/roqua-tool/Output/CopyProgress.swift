import Foundation

/// A line on a terminal that shows how far a copy or an export is. Nothing in a pipe.
struct CopyProgress {
  /// What is counted: `page`.
  let unit: String
  /// What happened to it: `copied`.
  let action: String
  private var shown = ContinuousClock.now
  private let isOnTerminal = isatty(STDERR_FILENO) == 1

  init(unit: String, action: String) { (self.unit, self.action) = (unit, action) }

  /// Takes in how many are done; the line changes ten times a second at most.
  mutating func take(_ done: Int, of all: Int) {
    let now = ContinuousClock.now
    guard isOnTerminal, now - shown >= .milliseconds(100) else { return }
    shown = now
    Console.overwriteLine(
      with: "\(Wording.count(done)) of \(Wording.count(all, unit)) \(action)")
  }

  /// Takes the line away.
  func end() { if isOnTerminal { Console.overwriteLine(with: "") } }
}
