import ArgumentParser
import Foundation

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
    subcommands: [Import.self, Near.self, Within.self, Where.self, Stats.self, Places.self, Settings.self])

  static func main() {
    main(NegativeNumbers.protected(Array(CommandLine.arguments.dropFirst())))
  }
}
