import Foundation

/// A line on a terminal that tells how far a copy is. Nothing in a pipe.
struct CopyProgress {
  private var shown = ContinuousClock.now
  private let isOnTerminal = isatty(STDERR_FILENO) == 1

  /// Takes in how many pages are copied; the line changes ten times a second at most.
  mutating func take(pages: Int, of allPages: Int) {
    let now = ContinuousClock.now
    guard isOnTerminal, now - shown >= .milliseconds(100) else { return }
    shown = now
    Console.overwriteLine(
      with: "\(Wording.count(pages)) of \(Wording.count(allPages, "page")) copied")
  }

  /// Takes the line away.
  func end() { if isOnTerminal { Console.overwriteLine(with: "") } }
}
