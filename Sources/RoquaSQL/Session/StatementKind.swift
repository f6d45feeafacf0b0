/// What a statement does, in the words with which it begins: `CREATE TABLE`, `VACUUM INTO`.
///
/// SQLite's authorizer names the steps of a statement, the first of which may be another one: the
/// first step of CREATE TABLE is an INSERT into the schema.
struct StatementKind {
  /// The words in capitals; nil for a statement that reads, or whose first words do not say what it
  /// does, as WITH.
  let name: String?
  /// Whether it is a PRAGMA.
  let isPragma: Bool

  /// Reads the first words of one statement.
  init(_ sql: some StringProtocol) {
    var words = SQLWords(sql)
    var word = words.next()
    if word == "EXPLAIN" {
      word = words.next()
      if word == "QUERY" { (_, word) = (words.next(), words.next()) }
    }
    isPragma = word == "PRAGMA"
    switch word {
    case "CREATE", "DROP", "ALTER":
      var object = words.next()
      while let one = object, Self.adjectives.contains(one) { object = words.next() }
      if object == "VIRTUAL" { object = words.next().map { "VIRTUAL " + $0 } }
      name = [word, object].compactMap { $0 }.joined(separator: " ")
    case "VACUUM":
      // A name of a schema may come first.
      let next = words.next()
      name = next == "INTO" || next != nil && words.next() == "INTO" ? "VACUUM INTO" : "VACUUM"
    case let word? where Self.others.contains(word): name = word
    default: name = nil
    }
  }

  /// What a statement of this kind does that is refused.
  ///
  /// - Parameter step: the name of the step that the authorizer refused.
  func refusal(atStep step: String) -> String {
    if let name { return name }
    // A table such as pragma_journal_mode runs the pragma.
    if !isPragma, step.hasPrefix("PRAGMA ") { return "pragma_" + step.dropFirst(7) }
    return step
  }

  private static let adjectives: Set<String> = ["TEMP", "TEMPORARY", "UNIQUE"]
  private static let others: Set<String> = [
    "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "DELETE", "DETACH", "END", "INSERT", "REINDEX",
    "RELEASE", "REPLACE", "ROLLBACK", "SAVEPOINT", "UPDATE",
  ]
}

/// The words of SQL, one after the other, up to the first character that is part of none.
private struct SQLWords {
  private var rest: Substring.UnicodeScalarView

  init(_ sql: some StringProtocol) { rest = Substring(sql).unicodeScalars }

  /// The next word in capitals; nil if something else comes.
  mutating func next() -> String? {
    skipSpace()
    let word = rest.prefix { $0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0) }
    guard !word.isEmpty else { return nil }
    rest = rest[word.endIndex...]
    return String(word).uppercased()
  }

  /// Skips white space, comments and empty statements.
  private mutating func skipSpace() {
    while let first = rest.first {
      if first.properties.isWhitespace || first == ";" {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        skipBlockComment()
      } else {
        return
      }
    }
  }

  private mutating func skipBlockComment() {
    rest = rest.dropFirst(2)
    while !rest.isEmpty {
      if rest.starts(with: "*/".unicodeScalars) {
        rest = rest.dropFirst(2)
        return
      }
      rest.removeFirst()
    }
  }
}
