import ArgumentParser
import GeoStore
import Geodesy
import Roqua

struct Near: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the visited regions around a point, nearest first.",
    discussion: "Example: roqua near -33.9 18.4 --radius 2km")

  @OptionGroup var store: StoreArguments
  @OptionGroup var position: Position

  @Option(help: ArgumentHelp("How far: 500, 500m, 2km, 1.5mi, 800ft.", valueName: "distance"))
  var radius: Length = Length(meters: 1_000)

  @Option(help: "At most so many, the nearest.")
  var limit: Int?

  func validate() throws {
    guard limit ?? 0 >= 0 else { throw ValidationError("--limit must not be negative.") }
  }

  func run() throws {
    try Console.reportingErrors {
      let matches = try store.open(creating: false).regions(
        near: position.coordinate(), radiusMeters: radius.meters, limit: limit)
      if store.json {
        Console.print(["regions": .array(matches.map { $0.json })])
        return
      }
      var table = Table([.right, .left, .right, .left, .left])
      for match in matches {
        let row = RegionRow(match.region)
        table.add([Wording.distance(match.distanceMeters), row.position, row.visits, row.days, row.place])
      }
      table.lines().forEach(Console.print)
      let count = Wording.count(matches.count, "region")
      let distance = Wording.distance(radius.meters)
      Console.print(
        matches.count == limit ? "the nearest \(count) within \(distance)" : "\(count) within \(distance)")
    }
  }
}
