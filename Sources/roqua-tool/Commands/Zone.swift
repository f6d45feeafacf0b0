import ArgumentParser
import GeoStore
import Geodesy
import Roqua

/// `roqua zone`: privacy zones.
struct Zone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zone",
    abstract: "Keep places such as your home out of the store.",
    discussion: """
      A privacy zone is a disc of which the store keeps nothing. Adding one erases what is in it \
      now; from then on, imports and recordings leave out every fix in it and cut the track there. \
      Coverage, exports and statistics do not include it.

      The zones themselves are in the store's file, in its backups and, encrypted, in a sync \
      folder, and nowhere else. Choose a center a hundred meters or more from your door, so that \
      the middle of the gap does not show it.

      Examples:
        roqua zone add 41.0256 28.9742 --radius 300m --name home
        roqua zone list
        roqua zone remove home
      """,
    subcommands: [Add.self, List.self, Remove.self])
}

extension Zone {
  /// `roqua zone add`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a privacy zone, and erase what is in it.",
      discussion: """
        Every kept fix in the zone is erased from the store and its file, and so are the regions \
        and cells that came with other sources. The imported track files are not touched.

        Exit status: 0 done, 1 failed, 2 done, but another program kept the old state of the file \
        open.

        Example: roqua zone add 41.0256 28.9742 --radius 300m --name home
        """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var position: Position

    @Option(
      help: ArgumentHelp(
        "Set the radius, 1 m to 100 km: 300m, 2km; a number alone is in meters.",
        valueName: "distance"), transform: Length.parse)
    var radius: Length

    @Option(help: "Name the zone, for zone list and zone remove.")
    var name: String?

    @Flag(help: "Show what would be erased, and change nothing.")
    var dryRun = false

    func validate() throws {
      let zone = PrivacyZone(center: try position.coordinate(), radiusMeters: radius.meters)
      if let reason = StoredZone.reasonToRefuse(zone, named: name.map(NegativeNumbers.original)) {
        throw ValidationError(reason.prefix(1).uppercased() + reason.dropFirst() + ".")
      }
    }

    func run() throws {
      Interruption.prepareRewriting("the zone was added")
      try Console.reportingErrors {
        let explorer = try store.open(creating: !dryRun)
        let zone = PrivacyZone(center: try position.coordinate(), radiusMeters: radius.meters)
        let added = try WorkProgress.showing { _ in
          try explorer.addPrivacyZone(
            zone, named: name.map(NegativeNumbers.original), isDryRun: dryRun)
        }
        if store.json { Console.print(added.json) } else { print(added) }
        if !dryRun {
          ReplacedStoreAdvice.printAfterDeleting(storePath: explorer.store.path)
          try Forget.checkErased(added.report)
        }
      }
    }

    private func print(_ added: ZoneAddition) {
      if !dryRun { Console.print("Added \(Zone.text(added.stored)).") }
      let report = added.report
      guard !report.sources.isEmpty else {
        return Console.print("Nothing in the store lies in the zone.")
      }
      let parts = [
        (report.fixes, "kept fix", "kept fixes"), (report.regions, "adopted region", nil),
        (report.cells, "imported cell", nil),
      ].filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1, $0.2) }
      let sources = Wording.count(report.sources.count, "source")
      Console.print(
        "\(dryRun ? "Would erase" : "Erased") \(parts.joined(separator: ", ")) from \(sources).")
      Console.print(SizeChange.text(report, isDryRun: dryRun))
    }
  }

  /// `roqua zone list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the privacy zones.",
      discussion: "Example: roqua zone list --json")

    @OptionGroup var store: StoreArguments

    func run() throws {
      try Console.reportingErrors {
        let zones = try store.open(creating: false).privacyZones()
        if store.json {
          return Console.print(["zones": .array(zones.map(\.json))])
        }
        guard !zones.isEmpty else { return Console.print("no privacy zones") }
        var table = Table([.right, .left, .left, .right, .left])
        for stored in zones {
          table.add([
            "\(stored.id)", stored.name ?? "–", Zone.position(stored.zone.center),
            Wording.distance(stored.zone.radiusMeters),
            stored.addedAt.map { "since \($0.iso8601.prefix(10))" } ?? "",
          ])
        }
        table.lines().forEach(Console.print)
      }
    }
  }

  /// `roqua zone remove`
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a privacy zone.",
      discussion: """
        This brings nothing back. Import the track files again to have what was left out.

        Exit status: 0 done, 1 failed, 2 done, but another program kept the old state of the file \
        open, 64 wrong usage or no such zone.

        Example: roqua zone remove home
        """)

    @OptionGroup var store: StoreArguments

    @Argument(
      help: ArgumentHelp("Number or name of the zone.", valueName: "zone"),
      completion: Completions.zones)
    var zone: String

    func run() throws {
      Interruption.prepareRewriting("the zone was removed")
      try Console.reportingErrors {
        let explorer = try store.open(creating: false)
        let selector = NegativeNumbers.original(zone)
        let isErased = try WorkProgress.showing { _ in try explorer.removePrivacyZone(selector) }
        if store.json {
          Console.print(["removed": .string(selector), "erased": .bool(isErased)])
        } else {
          Console.print("Removed zone \(selector). To bring back its data, import the files again.")
        }
        try Forget.checkErased(isErased)
      }
    }
  }

  /// A position as the tables of regions show it.
  static func position(_ center: Coordinate) -> String {
    "\(Wording.decimal(center.latitudeDegrees, 5)) \(Wording.decimal(center.longitudeDegrees, 5))"
  }

  /// A zone in one line.
  static func text(_ stored: StoredZone) -> String {
    let name = stored.name.map { " (\($0))" } ?? ""
    let radius = Wording.distance(stored.zone.radiusMeters)
    return "zone \(stored.id)\(name): \(radius) around \(Zone.position(stored.zone.center))"
  }
}
