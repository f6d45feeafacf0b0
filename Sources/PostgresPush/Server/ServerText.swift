/// Text from a server, for people.
enum ServerText {
  /// The first line of a message, without control characters, at most 300 characters long.
  static func line(_ message: String) -> String {
    let first = message.split(whereSeparator: \.isNewline).first ?? ""
    let shown = first.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
    let text = String(String.UnicodeScalarView(shown))
    var end = text.trimmingPrefix(while: \.isWhitespace)
    while end.last?.isWhitespace == true || end.last == "." { end.removeLast() }
    return end.count > 300 ? end.prefix(299) + "…" : String(end)
  }
}
