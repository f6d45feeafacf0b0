import ArgumentParser

/// An option of the store before the name of a command. `roqua --json` shows the state of the
/// store; with a command, options go after it.
enum MisplacedOption {
  /// The error for such an option; nil if there is none.
  static func line(
    _ arguments: [String], among commands: [any ParsableCommand.Type]
  ) -> String? {
    guard let first = arguments.first, isOfStore(first) else { return nil }
    var rest = arguments[...]
    while let argument = rest.first, isOfStore(argument) {
      rest = rest.dropFirst(argument == "--store" ? 2 : 1)
    }
    guard let command = rest.first, !command.hasPrefix("-") else { return nil }
    guard commands.contains(where: { $0._commandName == command }) else {
      return UnknownCommand.line(Array(rest), among: commands, topics: [])
    }
    let option = first == "--json" ? "--json" : "--store"
    let example = first == "--json" ? "--json" : "--store PATH"
    return "Error: \(option) goes after the command, as in roqua \(command) \(example)."
  }

  private static func isOfStore(_ argument: String) -> Bool {
    argument == "--json" || argument == "--store" || argument.hasPrefix("--store=")
  }
}
