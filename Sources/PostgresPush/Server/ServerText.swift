/// Text from a server, for people.
enum ServerText {
  /// The first line of a message, without control characters, at most 300 characters long.
  static func line(_ message: String) -> String {
    let first = message.split(whereSeparator: \.isNewline).first ?? ""
    let shown = first.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
    let text = String(String.UnicodeScalarView(shown))
    let start = text.trimmingPrefix(while: \.isWhitespace)
    let last = start.lastIndex { !$0.isWhitespace && $0 != "." }
    let line = last.map { start[...$0] } ?? ""
    return line.count > 300 ? line.prefix(299) + "…" : String(line)
  }
}
