import ArgumentParser
import Foundation
import GeoStore
import SQLiteLayer

/// `roqua`: the toolkit on the command line. Each verb has a file in `Commands`.
@main
struct RoquaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roqua",
    abstract: "Remembers where you have been: reads GPS tracks, and knows what you have explored.",
    discussion: """
      Exit status: 0 all done, 1 failed, 2 done in part (some files refused), 64 wrong usage.
      The store is --store PATH, else $ROQUA_STORE, else roqua/store.sqlite in your data folder.
      """,
    version: "0.1.0",
    subcommands: [
      Import.self, Near.self, Within.self, Where.self, Stats.self, Coverage.self, Places.self,
      Settings.self,
      Sources.self, Forget.self, Rebuild.self, Check.self, Backup.self, Adopt.self, Bench.self,
    ])

  static func main() {
    SQLiteProcess.forgoMemoryStatistics()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let line = UnknownCommand.line(arguments, among: configuration.subcommands) {
      Console.printError(line)
      exit(withError: ExitCode.validationFailure)
    }
    do {
      var command = try parseAsRoot(NegativeNumbers.protected(arguments))
      try command.run()
    } catch {
      let (status, message) = (exitCode(for: error), fullMessage(for: error))
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
