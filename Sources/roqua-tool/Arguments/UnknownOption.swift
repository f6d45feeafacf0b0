import ArgumentParser
import Geocode

/// An option that a command does not have. The parser takes its value for a position or a file, and
/// reports that.
enum UnknownOption {
  /// The error for the first unknown option among the arguments; nil if there is none.
  ///
  /// Called only after the parser has failed, because it makes the help text.
  static func line(_ arguments: [String], of root: any ParsableCommand.Type) -> String? {
    var command = root
    var path: [String] = [root._commandName]
    var rest = arguments[...]
    while let name = rest.first,
      let next = command.configuration.subcommands.first(where: { $0._commandName == name })
    {
      command = next
      path.append(name)
      rest = rest.dropFirst()
    }
    var known = options(of: command, in: root)
    // Without a command, the tool takes the options of the store.
    if path.count == 1 { known.formUnion(["--json", "--store"]) }
    // What is said without a subcommand is said to this one.
    if let standard = command.configuration.defaultSubcommand {
      known.formUnion(options(of: standard, in: root))
    }
    for argument in rest {
      if argument == "--" { return nil }
      let name = String(argument.prefix { $0 != "=" })
      guard name.hasPrefix("--"), !known.contains(name) else { continue }
      var guesses = NameGuesses(for: name)
      for option in known.sorted() { guesses.consider(option) }
      let question = guesses.best.first.map { " Did you mean \($0)?" } ?? ""
      let command = path.joined(separator: " ")
      return "Error: \(command) has no option \(Console.safe(name)).\(question)\n"
        + "  See '\(command) --help' for more information."
    }
    return nil
  }

  /// The long options that the help of a command names.
  private static func options(
    of command: any ParsableCommand.Type, in root: any ParsableCommand.Type
  ) -> Set<String> {
    let help = root.helpMessage(for: command, includeHidden: true)
    return Set(help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
  }
}
