import ArgumentParser
import Geocode

/// A command that does not exist: the parser would call it an unexpected argument.
enum UnknownCommand {
  /// The error for the first of the arguments, or for the command or topic that `help` is asked
  /// about; nil if it exists, or if there is none.
  static func line(
    _ arguments: [String], among commands: [any ParsableCommand.Type], topics: [String]
  ) -> String? {
    let isHelp = arguments.first == "help"
    let asked = isHelp ? arguments.dropFirst().first : arguments.first
    guard let asked, !asked.hasPrefix("-") else { return nil }
    let names = commands.map { $0._commandName } + ["help"] + (isHelp ? topics : [])
    guard !names.contains(asked) else { return nil }
    var guesses = NameGuesses(for: asked)
    for name in names { guesses.consider(name) }
    let question = guesses.best.first.map { " Did you mean \"\($0)\"?" } ?? ""
    return "Error: There is no command \"\(asked)\".\(question) See roqua --help."
  }
}
