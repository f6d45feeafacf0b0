/// Text as a word that a person can type in a shell.
enum ShellWord {
  /// The text, in single quotes if a shell would read it otherwise.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "." }
    if isPlain { return text }
    return "'"
      + text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: #"'\''"#) + "'"
  }
}
