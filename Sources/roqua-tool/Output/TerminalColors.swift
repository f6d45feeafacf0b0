import Foundation

/// Colors of a terminal (ECMA-48 SGR): none in a pipe, with `NO_COLOR`, and on a terminal without
/// colors.
struct TerminalColors {
  let areOn: Bool

  static let current: TerminalColors = {
    let environment = ProcessInfo.processInfo.environment
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return TerminalColors(
      areOn: isatty(STDOUT_FILENO) == 1 && !isRefused && environment["TERM"] != "dumb")
  }()

  private func wrapped(_ text: String, _ code: Int) -> String {
    areOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  func bold(_ text: String) -> String { wrapped(text, 1) }
  func dim(_ text: String) -> String { wrapped(text, 2) }
  func green(_ text: String) -> String { wrapped(text, 32) }
}
