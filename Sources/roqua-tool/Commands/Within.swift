import ArgumentParser
import ByteStreams
import Foundation
import GeoStore
import Geocode
import Geodesy
import Roqua

struct Within: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the visited regions in a box, a polygon, a country, a city or a time.",
    discussion: """
      A west greater than the east means a box across ±180°. Regions must meet all conditions that \
      are given.

      Regions are listed by id, which says where they are. Pages by --limit and --after leave out \
      no region that was there at the start, and list none twice, while tracks are imported.

      Names may be in any case and without accents; countries in English, in your language or as \
      a code of two letters. A city of the same name in several countries is found in all of them; \
      --country picks one.

      Examples:
        roqua within -17 179.9 -16 -179.8
        roqua within --country France --from 2019 --to 2021-06 --count
        roqua within --polygon walks.geojson --limit 100 --after 4711
      """)

  @OptionGroup var store: StoreArguments

  @Argument(
    help: ArgumentHelp("The box: south, west, north and east in degrees.", valueName: "edge"))
  var edges: [Degrees] = []

  @Option(
    help: ArgumentHelp(
      "In a polygon of this GeoJSON file. Edges run straight as their numbers stand; what crosses "
        + "±180° has longitudes beyond it, or is cut there.", valueName: "file"),
    completion: .file())
  var polygon: String?

  @Option(
    help: "Return regions in a country: a name or a code of two letters.",
    completion: Completions.countries)
  var country: String?

  @Option(help: "Return regions in a state, a province or the like, by its name.")
  var region: String?

  @Option(help: "Return regions in a city, by its name.")
  var city: String?

  @Option(
    help: ArgumentHelp(
      "Visited at or after: 2024, 2024-05, 2024-05-01, 2024-05-01T10:00:00Z.", valueName: "time"))
  var from: Moment?

  @Option(help: ArgumentHelp("Visited at or before.", valueName: "time"))
  var to: Moment?

  @Option(help: "List at most this many regions, those with the smallest ids.")
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Only those with a greater number: the next page after the last of this one.", valueName: "id"
    ))
  var after: Int64?

  @Flag(help: "Only how many.")
  var count = false

  private func box() throws(BoundingBoxError) -> BoundingBox? {
    guard edges.count == 4 else { return nil }
    return try BoundingBox(
      south: edges[0].value, west: edges[1].value, north: edges[2].value, east: edges[3].value)
  }

  func validate() throws {
    guard limit ?? 0 >= 0 else { throw ValidationError("--limit must not be negative.") }
    guard edges.isEmpty || edges.count == 4 else {
      throw ValidationError("A box has four edges: south, west, north and east.")
    }
    guard edges.isEmpty || polygon == nil else {
      throw ValidationError("Name a box or --polygon, not both.")
    }
    guard
      !edges.isEmpty || polygon != nil || namesPlace || from != nil || to != nil
    else {
      throw ValidationError(
        "Name a box, or --polygon, --country, --region, --city, --from or --to.")
    }
    // A wrong country is wrong usage, whether or not there is a store.
    if let country {
      do {
        _ = try Geocoder.bundled.country(named: country, locale: CountryWording.current.locale)
      } catch let error as PlaceNameError {
        throw ValidationError("\(error)")
      }
    }
    if let from, let to, from.range.lowerBound > to.range.upperBound {
      throw ValidationError("--from lies after --to.")
    }
    do {
      _ = try box()
    } catch {
      switch error {
      case .outOfRange:
        throw ValidationError(
          "Latitudes must be between -90 and 90, longitudes between -180 and 180.")
      case .southAboveNorth:
        throw ValidationError("The southern edge lies north of the northern one.")
      }
    }
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
    do {
      return try GeoJSON.polygons(in: Data(FilePath(path).contents()))
    } catch let failure as FileFailure {
      throw Console.Failure("\(path): it cannot be read (\(failure.reason))")
    } catch {
      throw Console.Failure("\(path): \(error)")
    }
  }

  private static func place(
    _ country: String?, _ region: String?, _ city: String?, of explorer: Explorer
  ) throws -> NamedPlace {
    try explorer.place(
      country: country, region: region, city: city, locale: CountryWording.current.locale)
  }

  /// What is said of a place that the store has nothing of; nil of others.
  private static func nothing(in place: NamedPlace?) -> String? {
    guard let place, !place.isInStore else { return nil }
    return ": nothing explored in \(place.label)"
  }

  /// Says which cities of one name were found together.
  private static func noteNamesakes(_ place: NamedPlace?) {
    guard let place, !place.namesakes.isEmpty else { return }
    Console.printError(
      "roqua: note: \(place.label) is in \(place.namesakes.joined(separator: ", ")); "
        + "--country picks one")
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
          Self.noteNamesakes(place)
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
      Self.noteNamesakes(place)
      let found = Wording.count(regions.count, "region") + (Self.nothing(in: place) ?? "")
      let area = edges.isEmpty ? "" : " in the box"
      if let limit, regions.count == limit, let last = regions.last {
        Console.print("the first \(found)\(area); more may follow with --after \(last.id)")
      } else {
        Console.print("\(found)\(area)")
      }
    }
  }
}
