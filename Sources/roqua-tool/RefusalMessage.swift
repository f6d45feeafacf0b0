import ArgumentParser

/// What is printed for arguments that a command refuses only once it runs: ArgumentParser would add
/// the usage of `roqua`, not that of the command.
enum RefusalMessage {
  /// The message; nil for any other error.
  static func text(_ error: any Error, of command: (any ParsableCommand)?) -> String? {
    guard error is ValidationError, let command else { return nil }
    let type = type(of: command)
    guard let name = type.configuration.commandName,
      let path = path(of: type, below: RoquaCommand.self)
    else { return nil }
    let whole = path.joined(separator: " ")
    return type.fullMessage(for: error)
      .replacing("Usage: \(name)", with: "Usage: \(whole)")
      .replacing("See '\(name) --help'", with: "See '\(whole) --help'")
  }

  /// The names of the commands that lead to a command, itself included.
  private static func path(
    of wanted: any ParsableCommand.Type, below command: any ParsableCommand.Type
  ) -> [String]? {
    guard let name = command.configuration.commandName else { return nil }
    if command == wanted { return [name] }
    for next in command.configuration.subcommands {
      if let rest = path(of: wanted, below: next) { return [name] + rest }
    }
    return nil
  }
}
