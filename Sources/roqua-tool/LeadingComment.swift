/// Lets the SQL of `roqua sql` begin with a comment: `-- since when?`.
///
/// The parser takes every argument that begins with `--` for an option. With a space before it, it
/// is a value to the parser, and the same SQL to SQLite.
enum LeadingComment {
  /// The arguments, with a space before each that is SQL.
  static func protected(_ arguments: [String]) -> [String] {
    guard arguments.first == SQL._commandName else { return arguments }
    return arguments.map { isComment($0) ? " " + $0 : $0 }
  }

  /// Whether an argument begins with `--` and has white space, as only the value of an option has.
  private static func isComment(_ argument: String) -> Bool {
    argument.hasPrefix("--") && argument.contains(where: \.isWhitespace)
      && !optionsWithValue.contains(String(argument.prefix { $0 != "=" }))
  }

  private static let optionsWithValue: Set<String> = ["--param", "--store"]
}
