import ArgumentParser
import PostgresPush
import Roqua

/// `roqua push`: the store to a database for many people.
struct Push: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Send the store to a PostgreSQL database for many people.",
    discussion: """
      The database needs the extension PostGIS. The first push makes the tables; each further one \
      sends only what changed, and deletes what was forgotten. Either all of it is there \
      afterward, or nothing has changed. Privacy zones are never sent.

      The address is that of every program for PostgreSQL: what it leaves out comes from PGHOST, \
      PGUSER and so on. A password comes from PGPASSWORD or ~/.pgpass, or is asked for; in the \
      address, other users could see it.

      What others may learn is up to you: at first, you are in no answer about who was near a \
      point (--nearby) and in no picture for the public (--public).

      An administrator can also make the tables with the SQL that --schema prints, on one server \
      or on several that share the people (--partitions, --servers, --citus).

      Exit status: 0 done, 1 failed (neither the database nor the store has changed).

      Examples:
        roqua push postgres://anna@db.example.org/club
        roqua push postgres://localhost/club --person anna --public
        roqua push --schema
        roqua push --schema --servers east,west --server east
      """)

  @OptionGroup var arguments: DatabaseArguments

  @Argument(help: ArgumentHelp("The database: postgres://USER@HOST/NAME.", valueName: "address"))
  var address: String?

  @Flag(
    inversion: .prefixedNo, help: "Let others learn that you have been near a point.")
  var nearby: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: "Count your tiles in pictures of what many people have explored.")
  var `public`: Bool?

  @Flag(
    inversion: .prefixedNo, help: "Send kept fixes one by one, too, for SQL.")
  var fixes: Bool?

  @Flag(help: "Delete sources that only the database has.")
  var replace = false

  @Flag(help: "Print the SQL that makes the tables, and do nothing else.")
  var schema = false

  @OptionGroup(title: "Options for --schema") var layout: LayoutArguments

  func validate() throws {
    let layout = try layout.chosen()
    if !schema, layout != .plain {
      throw ValidationError(
        "--partitions, --servers, --server and --citus say how --schema makes the tables; add it.")
    }
    if !schema, address == nil {
      throw ValidationError("Give the address of the database: postgres://USER@HOST/NAME.")
    }
    if let address { try DatabaseArguments.check(NegativeNumbers.original(address)) }
  }

  func run() throws {
    if schema {
      // What reads it need not stop at an error: nothing of a failed transaction stays.
      return Console.printLines(
        "BEGIN;\n\(PostgresSchema.sql(for: try layout.chosen()))\nCOMMIT;\n")
    }
    Interruption.prepare(
      working: "the database is unchanged",
      committed: "the database may have everything; the next push finds out")
    try Console.reportingErrors {
      let explorer = try arguments.store.open(creating: false)
      var options = PushOptions()
      (options.nearby, options.isPublic, options.fixRows) = (nearby, `public`, fixes)
      options.replacesOthers = replace
      let report = try arguments.connecting(to: address ?? "") { address in
        try WorkProgress.showing { _ in
          try explorer.store.push(to: address, as: arguments.name, options: options)
        }
      }
      print(report)
    }
  }

  private func print(_ report: PushReport) {
    if arguments.store.json {
      return Console.print([
        "person": .string(report.person), "key": .string("\(report.key)"),
        "madeTables": .bool(report.madeTables), "newPerson": .bool(report.isNewPerson),
        "nearby": .bool(report.isNearby), "public": .bool(report.isPublic),
        "fixes": .bool(report.hasFixRows),
        "written": .integer(report.written), "deleted": .integer(report.deleted),
        "tables": .array(
          report.tables.map { table in
            [
              "name": .string(table.name), "written": .integer(table.written),
              "deleted": .integer(table.deleted),
            ]
          }),
      ])
    }
    if report.madeTables { Console.print("Made the tables.") }
    defer { printConsent(report) }
    if report.tables.isEmpty { return Console.print("The database has everything of this store.") }
    let written = Wording.count(report.written, "row")
    let deleted = report.deleted > 0 ? ", deleted \(Wording.count(report.deleted))" : ""
    Console.print("Pushed as \(report.person): wrote \(written)\(deleted).")
  }

  /// Says what others may learn, after somebody changed that.
  private func printConsent(_ report: PushReport) {
    if nearby != nil {
      Console.print(
        "Others \(report.isNearby ? "may" : "may not") learn that you have been near a point.")
    }
    if `public` != nil {
      Console.print(
        "Your tiles \(report.isPublic ? "count" : "do not count") in pictures for the public.")
    }
  }
}
