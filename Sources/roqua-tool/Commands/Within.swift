import ArgumentParser
import GeoStore
import Geodesy
import Roqua

struct Within: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the visited regions in a box.",
    discussion: """
      A west greater than the east means a box across ±180°.
      Example: roqua within -17 179.9 -16 -179.8
      """)

  @OptionGroup var store: StoreArguments

  @Argument(help: "Southern edge in degrees.") var south: Degrees
  @Argument(help: "Western edge in degrees.") var west: Degrees
  @Argument(help: "Northern edge in degrees.") var north: Degrees
  @Argument(help: "Eastern edge in degrees.") var east: Degrees

  @Option(help: "At most so many, the oldest.")
  var limit: Int?

  private func box() throws(BoundingBoxError) -> BoundingBox {
    try BoundingBox(south: south.value, west: west.value, north: north.value, east: east.value)
  }

  func validate() throws {
    guard limit ?? 0 >= 0 else { throw ValidationError("--limit must not be negative.") }
    do {
      _ = try box()
    } catch {
      switch error {
      case .outOfRange:
        throw ValidationError("Latitudes must be between -90 and 90, longitudes between -180 and 180.")
      case .southAboveNorth: throw ValidationError("The southern edge lies north of the northern one.")
      }
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let regions = try store.open(creating: false).regions(in: box(), limit: limit)
      if store.json {
        Console.print(["regions": .array(regions.map { $0.json })])
        return
      }
      var table = Table([.left, .right, .left, .left])
      for region in regions {
        let row = RegionRow(region)
        table.add([row.position, row.visits, row.days, row.place])
      }
      table.lines().forEach(Console.print)
      let count = Wording.count(regions.count, "region")
      Console.print(regions.count == limit ? "the oldest \(count) in the box" : "\(count) in the box")
    }
  }
}
