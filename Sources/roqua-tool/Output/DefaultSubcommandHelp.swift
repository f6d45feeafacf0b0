import ArgumentParser

/// The help of a command that runs one of its subcommands if none is named, as `roqua lock` runs
/// `roqua lock now`. ArgumentParser leaves out what that subcommand takes.
enum DefaultSubcommandHelp {
  /// The help with the usage, arguments and options of the default subcommand; any other text as it
  /// is.
  static func completed(_ help: String, of root: any ParsableCommand.Type) -> String {
    var lines = Self.lines(of: help)
    guard let usage = lines.firstIndex(where: { $0.hasPrefix(start) && $0.hasSuffix(end) }),
      let options = section("OPTIONS:", of: lines)
    else { return help }
    let path = lines[usage].dropFirst(start.count).dropLast(end.count)
    let words = path.split(separator: " ").map(String.init)
    guard let standard = command(words, below: root)?.configuration.defaultSubcommand else {
      return help
    }
    let own = Self.lines(of: root.helpMessage(for: standard))
    let ownStart = "\(start)\(path) \(standard._commandName)"
    guard let ownUsage = own.first(where: { $0.hasPrefix(ownStart) }),
      let ownOptions = section("OPTIONS:", of: own)
    else { return help }
    let arguments = section("ARGUMENTS:", of: own).map { own[$0] + [""] } ?? []
    lines.replaceSubrange(options, with: arguments + own[ownOptions])
    let indent = String(repeating: " ", count: start.count)
    lines[usage...usage] = [
      "\(start)\(path)\(ownUsage.dropFirst(ownStart.count))", "\(indent)\(path)\(end)",
    ]
    return lines.joined(separator: "\n")
  }

  private static let start = "USAGE: "
  private static let end = " <subcommand>"

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines of a section from its title to the empty line behind it.
  private static func section(_ title: String, of lines: [String]) -> Range<Int>? {
    guard let first = lines.firstIndex(of: title) else { return nil }
    return first..<(lines[first...].firstIndex(of: "") ?? lines.endIndex)
  }

  /// The command of some names, of which the first one is that of the root.
  private static func command(
    _ names: [String], below root: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    guard names.first == root._commandName else { return nil }
    var command = root
    for name in names.dropFirst() {
      guard
        let next = command.configuration.subcommands.first(where: { $0._commandName == name })
      else { return nil }
      command = next
    }
    return command
  }
}
