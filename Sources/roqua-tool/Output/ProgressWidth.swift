import Foundation

/// The width of a progress line: the columns of the terminal that standard error is.
enum ProgressWidth {
  /// As `COLUMNS` says, else the terminal, else 80.
  static func ofStandardError(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The parts joined by commas, without as many of the least important ones as must go to fit;
  /// if a single part is too long, it is cut.
  ///
  /// - Parameters:
  ///   - parts: in the order in which they are shown.
  ///   - importance: the indexes of the parts, most important first.
  static func fit(_ parts: [String], importance: [Int], columns: Int) -> String {
    var kept = importance
    while true {
      let text = parts.indices.filter(kept.contains).map { parts[$0] }.joined(separator: ", ")
      if text.count <= columns || kept.count <= 1 { return String(text.prefix(max(0, columns))) }
      kept.removeLast()
    }
  }
}
