/// The error of a question in the words of a request: options are its parameters.
enum QuestionError {
  /// The sentence in what a command wrote to standard error, without the word that a terminal shows
  /// before it, and without the lines about usage that follow.
  static func sentence(of text: String) -> String {
    let lines = text.split(separator: "\n")
    guard let first = lines.first else { return "" }
    guard first.hasPrefix(wrongUsage) else {
      return String(first.trimmingPrefix("roqua: "))
    }
    let values = lines.dropFirst().prefix { $0.hasPrefix(item) }.map { $0.dropFirst(item.count) }
    var sentence = String(first.dropFirst(wrongUsage.count))
    if !values.isEmpty {
      sentence = sentence.replacing("the following:", with: "") + values.joined(separator: ", ")
    }
    sentence =
      sentence
      .replacing(#/'--([a-z-]+) <[^>]*>'/#) { String($0.1) }
      .replacing(#/(^|[ (])--([a-z][a-z-]*)/#) { "\($0.1)\($0.2)" }
    return [".", "?", "!"].contains { sentence.hasSuffix($0) } ? sentence : sentence + "."
  }

  /// What precedes an error of wrong usage.
  private static let wrongUsage = "Error: "
  /// What precedes each of the values that ArgumentParser lists.
  private static let item = "  - "
}
