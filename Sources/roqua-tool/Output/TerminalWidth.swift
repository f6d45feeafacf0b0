import Foundation

/// How wide tables may be.
enum TerminalWidth {
  /// The columns of this process's output; nil for no limit.
  static let current = columns(
    named: ProcessInfo.processInfo.environment["COLUMNS"], ofTerminal: measured())

  /// The narrowest terminal that tables are fitted to.
  static let least = 40

  /// What `COLUMNS` says, else the width of the terminal that standard output is; nil if there is
  /// neither, as in a pipe.
  static func columns(named text: String?, ofTerminal measured: Int?) -> Int? {
    let named = text.flatMap { Int($0) }.flatMap { (1...100_000).contains($0) ? $0 : nil }
    return (named ?? measured).map { max($0, least) }
  }

  /// A sentence in lines that fit, broken at blanks.
  static func wrapped(_ text: String, to width: Int? = current) -> [String] {
    guard let width, TextWidth.columns(of: text) > width else { return [text] }
    return text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last,
        TextWidth.columns(of: last) + 1 + TextWidth.columns(of: "\(word)") <= width
      {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append((lines.isEmpty ? "" : "  ") + word)
      }
    }
  }

  private static func measured() -> Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }
}
