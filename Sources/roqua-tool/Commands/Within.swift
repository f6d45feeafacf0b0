import ArgumentParser
import ByteStreams
import Foundation
import GeoStore
import Geocode
import Geodesy
import Roqua

struct Within: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "within",
    abstract: "List visited regions by area, place and time.",
    discussion: """
      Lists the regions that meet all given conditions, ordered by id, which follows the position. \
      If the west edge of a box is greater than the east edge, the box crosses ±180°.

      --limit and --after list the regions page by page. Every region that exists at the start is \
      listed exactly once, even during an import.

      Names match in any case and without accents. Country names can be in English or in your \
      language, or ISO 3166-1 codes; regions can be names or ISO 3166-2 codes. If several \
      countries have a city of that name, all of them match; --country selects one.

      Examples:
        roqua within -17 179.9 -16 -179.8
        roqua within --country France --from 2019 --to 2021-06 --count
        roqua within --polygon walks.geojson --limit 100 --after 4711
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var language: LanguageArguments

  @Argument(
    help: ArgumentHelp(
      "List regions in a box, in degrees: south, west, north and east.",
      valueName: "south,west,north,east"))
  var edges: [String] = []

  @Option(
    help: ArgumentHelp(
      "List regions in the polygons of this GeoJSON file. Edges are straight lines in latitude and "
        + "longitude. A polygon across ±180° has longitudes beyond it, or is cut there.",
      valueName: "file"),
    completion: .file())
  var polygon: String?

  @Option(
    help: "List regions in a country: a name or an ISO 3166-1 code (DE, DEU).",
    completion: Completions.countries)
  var country: String?

  @Option(help: "List regions in a state or province: a name or an ISO 3166-2 code (DE-BY).")
  var region: String?

  @Option(help: "List regions in a city: a name.")
  var city: String?

  @Option(
    help: ArgumentHelp(
      "List regions visited at or after: \(Moment.forms).", valueName: "time"),
    transform: Moment.init)
  var from: Moment?

  @Option(
    help: ArgumentHelp("List regions visited at or before.", valueName: "time"),
    transform: Moment.init)
  var to: Moment?

  @Option(
    help: ArgumentHelp("List at most N regions, those with the smallest ids.", valueName: "n"),
    transform: EntryCount.number)
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "List regions after this id, the last one of the previous page.", valueName: "id"))
  var after: Int64?

  @Flag(help: "Print only the count.")
  var count = false

  private func box() throws -> BoundingBox? {
    edges.isEmpty ? nil : try DegreeList.box(edges, of: "A box")
  }

  func validate() throws {
    _ = try box()
    guard edges.isEmpty || polygon == nil else {
      throw ValidationError("A box cannot be combined with --polygon.")
    }
    guard
      !edges.isEmpty || polygon != nil || namesPlace || from != nil || to != nil
    else {
      throw ValidationError(
        "Give a box, --polygon, --country, --region, --city, --from or --to.")
    }
    try SelectionArguments.check(country: country, region: region, from: from, to: to)
  }

  private var namesPlace: Bool { country != nil || region != nil || city != nil }

  private func query(_ place: NamedPlace?) throws -> RegionQuery {
    var query = RegionQuery()
    if let box = try box() { query.area = .box(box) }
    if let polygon { query.area = .polygons(try Self.polygons(polygon)) }
    place?.restrict(&query)
    if from != nil || to != nil {
      let first = from?.range.lowerBound ?? Timestamp.writable.lowerBound
      let last = to?.range.upperBound ?? Timestamp.writable.upperBound
      query.times = first...last
    }
    return query
  }

  private static func polygons(_ path: String) throws -> [Polygon] {
    try ExistingFile.check(path)
    do {
      return try GeoJSON.polygons(in: Data(FilePath(path).contents()))
    } catch let failure as FileFailure {
      throw Console.Failure("\(path): the file cannot be read (\(failure.reason))")
    } catch {
      throw Console.Failure("\(path): \(error)")
    }
  }

  private static func place(
    _ country: String?, _ region: String?, _ city: String?, of explorer: Explorer
  ) throws -> NamedPlace {
    try explorer.place(
      country: country, region: region, city: city, locale: PlaceWording.current.locale)
  }

  /// What is said of a place that the store has nothing of; nil of others.
  private static func nothing(in place: NamedPlace?) -> String? {
    guard let place, !place.isInStore else { return nil }
    return ": nothing explored in \(PlaceWording.current.label(place))"
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let place = try namesPlace ? Self.place(country, region, city, of: explorer) : nil
      let query = try query(place)
      if count {
        let count = try explorer.countRegions(matching: query)
        if store.json {
          Console.print(["count": .integer(count)])
        } else {
          Console.print(Wording.count(count, "region") + (Self.nothing(in: place) ?? ""))
          NamesakeNote.print(place)
        }
        return
      }
      let regions = try explorer.regions(matching: query, after: after, limit: limit)
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
      NamesakeNote.print(place)
      let found = Wording.count(regions.count, "region") + (Self.nothing(in: place) ?? "")
      let area = edges.isEmpty ? "" : " in the box"
      if let limit, regions.count == limit, let last = regions.last {
        Console.print("first \(found)\(area); for more, add --after \(last.id)")
      } else {
        Console.print("\(found)\(area)")
      }
    }
  }
}
