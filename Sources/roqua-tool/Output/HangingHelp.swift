/// The layout of help on a narrow terminal: ArgumentParser continues an indented line, such as an
/// example, at the left edge.
enum HangingHelp {
  /// The help with the further parts of each indented line below it, two columns farther right; any
  /// other text as it is.
  static func indented(_ help: String, columns: Int = TerminalWidth.current ?? 80) -> String {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    guard let usage = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return help }
    var (layout, rest) = ([String](), lines[..<usage])
    while let line = rest.popFirst() {
      let further = line.hasPrefix("  ") ? rest.prefix { !$0.isEmpty && $0.first != " " } : []
      rest = rest.dropFirst(further.count)
      layout += further.isEmpty ? [String(line)] : wrapped([line] + further, to: columns)
    }
    return (layout + lines[usage...].map(String.init)).joined(separator: "\n")
  }

  /// The parts of an indented line, broken anew.
  private static func wrapped(_ parts: [Substring], to columns: Int) -> [String] {
    let indent = String(parts[0].prefix { $0 == " " })
    let lines = TerminalWidth.wrapped(
      parts.joined(separator: " ").trimmingPrefix(indent).description, to: columns - indent.count)
    return lines.map { indent + $0 }
  }
}
