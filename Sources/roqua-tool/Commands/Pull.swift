import ArgumentParser
import PostgresPush
import Roqua

/// `roqua pull`: a store from a database for many people.
struct Pull: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Make a store from what a PostgreSQL database has of a person.",
    discussion: """
      The store is made, and must not have sources yet. It is equal to the one that was pushed, \
      except for privacy zones, which were never sent.

      Exit status: 0 done, 1 failed (the store is unchanged), 64 wrong usage or no such person.

      Example: roqua pull postgres://anna@db.example.org/club --store anna.sqlite
      """)

  @OptionGroup var arguments: DatabaseArguments

  @Argument(help: ArgumentHelp("The database: postgres://USER@HOST/NAME.", valueName: "address"))
  var address: String

  func validate() throws { try DatabaseArguments.check(NegativeNumbers.original(address)) }

  func run() throws {
    Interruption.prepare(working: "the store is unchanged", committed: "the store has everything")
    try Console.reportingErrors {
      let explorer = try arguments.store.open(creating: true)
      let report = try arguments.connecting(to: address) { address in
        try WorkProgress.showing { _ in
          try explorer.store.pull(from: address, as: arguments.name)
        }
      }
      if arguments.store.json {
        return Console.print([
          "person": .string(report.person), "sources": .integer(report.sources),
          "keptFixes": .integer(report.fixes),
        ])
      }
      Console.print(
        "Pulled \(Wording.count(report.sources, "source")) with "
          + "\(Wording.count(report.fixes, "kept fix", "kept fixes")) of \(report.person).")
    }
  }
}
