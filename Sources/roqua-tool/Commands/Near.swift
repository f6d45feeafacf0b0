import ArgumentParser
import GeoStore
import Geodesy
import Roqua

struct Near: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near",
    abstract: "List visited regions around a point, nearest first.",
    discussion: """
      Examples:
        roqua near -33.9 18.4 --radius 2km
        roqua near -33.9 18.4 --nearest 5
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var position: Position
  @OptionGroup var language: LanguageArguments

  @Option(
    help: ArgumentHelp(
      "Search within this distance: 500m, 2km, 1.5mi, 800ft; a number alone is in meters. "
        + "(default: 1km)", valueName: "distance"), transform: Length.parse)
  var radius: Length?

  @Option(
    help: ArgumentHelp("List at most N regions, the nearest ones.", valueName: "n"),
    transform: EntryCount.number)
  var limit: Int?

  @Option(
    help: ArgumentHelp("List the N nearest regions at any distance.", valueName: "n"),
    transform: EntryCount.number)
  var nearest: Int?

  func validate() throws {
    guard nearest == nil || radius == nil && limit == nil else {
      throw ValidationError("--nearest cannot be combined with --radius or --limit.")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let center = try position.coordinate()
      let radiusMeters = radius?.meters ?? 1_000
      let matches =
        if let nearest {
          try explorer.nearestRegions(to: center, count: nearest)
        } else {
          try explorer.regions(near: center, radiusMeters: radiusMeters, limit: limit)
        }
      if store.json {
        Console.print(["regions": .array(matches.map { $0.json })])
        return
      }
      var table = Table([.right, .left, .right, .left, .left])
      for match in matches {
        let row = RegionRow(match.region)
        table.add([
          Wording.distance(match.distanceMeters), row.position, row.visits, row.days, row.place,
        ])
      }
      table.lines().forEach(Console.print)
      if nearest != nil, matches.isEmpty {
        Console.print("no visited regions")
        return
      }
      let count = Wording.count(matches.count, "region")
      if nearest != nil {
        Console.print("nearest \(count)")
        return
      }
      let distance = Wording.distance(radiusMeters)
      if try matches.isEmpty && !explorer.nearestRegions(to: center, count: 1).isEmpty {
        Console.print("no region within \(distance); --nearest 1 finds the nearest one")
        return
      }
      Console.print(
        matches.count == limit
          ? "nearest \(count) within \(distance)" : "\(count) within \(distance)")
    }
  }
}
