import Foundation
import Geodesy

/// The terminal that standard output is, as one screen that is changed in place.
///
/// Source of the sequences: ECMA-48, and xterm's private modes 7 (wrap), 25 (cursor), 1049
/// (alternate screen) and 2026 (a frame appears as a whole; others ignore it).
struct LiveTerminal {
  /// True if standard output is a terminal that has a screen.
  static var isUsable: Bool {
    let type = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDOUT_FILENO) == 1 && !type.isEmpty && type != "dumb"
  }

  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// Restores the terminal.
  static let leaving = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let usesColor = ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true
  private var shown: [String] = []
  private var size: (columns: Int, rows: Int) = (0, 0)

  func enter() { _ = LiveLineOutput.write(Self.entering, to: STDOUT_FILENO) }
  func leave() { _ = LiveLineOutput.write(Self.leaving, to: STDOUT_FILENO) }

  /// Shows a state, unless it looks as before.
  ///
  /// - Returns: false if the terminal is gone.
  mutating func show(_ state: LiveState, at now: Timestamp) -> Bool {
    let present = Self.measured()
    let lines = LiveScreen(
      state: state, now: now, columns: present.columns, rows: present.rows, usesColor: usesColor
    ).lines()
    let isResized = present != size
    guard isResized || lines != shown else { return true }
    var text = "\u{1B}[?2026h" + (isResized ? "\u{1B}[2J" : "")
    for (row, line) in lines.enumerated()
    where isResized || row >= shown.count || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    if shown.count > lines.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    (shown, size) = (lines, present)
    return LiveLineOutput.write(text + "\u{1B}[?2026l", to: STDOUT_FILENO)
  }

  /// The size of the terminal; 80 × 24 if it does not say.
  private static func measured() -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
