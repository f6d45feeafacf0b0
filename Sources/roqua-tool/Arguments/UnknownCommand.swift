import ArgumentParser
import Geocode

/// A command that does not exist: the parser would call it an unexpected argument.
enum UnknownCommand {
  /// The error for the first of the arguments, or for the command that `help` is asked about; nil
  /// where there is such a command, or no command.
  static func line(_ arguments: [String], among commands: [any ParsableCommand.Type]) -> String? {
    let asked = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let asked, !asked.hasPrefix("-") else { return nil }
    let names = commands.map { $0._commandName } + ["help"]
    guard !names.contains(asked) else { return nil }
    var guesses = NameGuesses(for: asked)
    for name in names { guesses.consider(name) }
    let question = guesses.best.first.map { " Did you mean \"\($0)\"?" } ?? ""
    return "Error: There is no command \"\(asked)\".\(question) See roqua --help."
  }
}
