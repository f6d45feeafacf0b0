import ArgumentParser
import CProcessMemory
import Foundation
import GeoStore
import SQLiteLayer

/// `roqua`: the toolkit on the command line. Each command has a file in `Commands`.
@main
struct RoquaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roqua",
    abstract: "Import GPS tracks, and see how much of the world you have explored.",
    discussion: """
      Without a command, roqua shows the state of the store, as JSON with --json. Start with \
      roqua import PATH; roqua help formats lists the formats that it reads.

      Options go after the command: roqua stats --json. Nearly all commands have --json, which \
      prints JSON, and --store PATH, which uses another store.

      The store is --store PATH, else $ROQUA_STORE, else that of the selected profile (roqua \
      profile); without profiles, it is roqua/store.sqlite in your data folder.

      Exit status: 0 success, 1 failure, 2 partial success (some files refused), 64 wrong usage, \
      also a name or number that nothing has.
      """,
    version: "0.1.0",
    subcommands: [
      Import.self, Near.self, Within.self, Where.self, At.self, Photos.self, Stats.self,
      Coverage.self, Places.self, Days.self, AchievementsCommand.self, Map.self, Export.self,
      SQL.self, Live.self,
      Settings.self, Sources.self, Forget.self, Zone.self, Rebuild.self, Check.self, Backup.self,
      Restore.self, Lock.self, Unlock.self, Adopt.self, Serve.self, Sync.self,
      Push.self, Pull.self, ProfileCommand.self, Bench.self,
    ])

  func run() throws {
    try Console.reportingErrors { try OverviewSummary(arguments: .parse([])).print() }
  }

  /// The state of the store, if there is no command but only options of the store.
  private static func overview(_ arguments: [String]) -> Overview? {
    guard arguments.first == "--json" || arguments.first?.hasPrefix("--store") == true else {
      return nil
    }
    let store = try? StoreArguments.parse(NegativeNumbers.protected(arguments))
    return store.map(Overview.init)
  }

  /// `roqua` with options of the store.
  private struct Overview {
    let store: StoreArguments

    func run() throws {
      try Console.reportingErrors { try OverviewSummary(arguments: store).print() }
    }
  }

  static func main() {
    cprocessmemory_keep_freed()
    SQLiteProcess.forgoMemoryStatistics()
    // SpatiaLite would add functions that read and write any file.
    unsetenv("SPATIALITE_SECURITY")
    // A file that may not grow any more is an error like a full disk, not the end.
    signal(SIGXFSZ, SIG_IGN)
    let arguments = LeadingComment.protected(Array(CommandLine.arguments.dropFirst()))
    if arguments == ["help", FormatsHelp.topic] { return FormatsHelp.print() }
    if let line = UnknownCommand.line(
      arguments, among: configuration.subcommands, topics: [FormatsHelp.topic])
    {
      Console.printError(line)
      exit(withError: ExitCode.validationFailure)
    }
    if let line = MisplacedOption.line(arguments, among: configuration.subcommands) {
      Console.printError(line)
      exit(withError: ExitCode.validationFailure)
    }
    if let line = RepeatedOptions.line(arguments) {
      Console.printError(line)
      exit(withError: ExitCode.validationFailure)
    }
    var command: (any ParsableCommand)?
    do {
      if let overview = overview(arguments) { return try overview.run() }
      let completed = BoxArgument.joined(FilmArgument.completed(arguments))
      command = try parseAsRoot(NegativeNumbers.protected(completed))
      try command?.run()
    } catch {
      let status = exitCode(for: error)
      let unknown =
        status == .validationFailure ? UnknownOption.line(arguments, of: RoquaCommand.self) : nil
      let message =
        unknown ?? RefusalMessage.text(error, of: command)
        ?? HangingHelp.indented(
          DefaultSubcommandHelp.completed(fullMessage(for: error), of: RoquaCommand.self))
      if !message.isEmpty || status == .success {
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
          let text = NegativeNumbers.quotedAsTyped(String(line))
          if status == .success { Console.print(text) } else { Console.printError(text) }
        }
      }
      exit(withError: status)
    }
  }
}
