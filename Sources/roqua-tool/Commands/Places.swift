import ArgumentParser
import GeoStore
import Roqua

extension PlaceLevel: ExpressibleByArgument {}

struct Places: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the countries, regions or cities where you have been.",
    discussion: """
      A country counts as visited from an hour's stay, a region or city from 20 minutes. Time on \
      the way at more than 252 km/h is no stay. With --all the places are listed too through which \
      you only passed.
      """)

  @OptionGroup var store: StoreArguments

  @Option(name: .customLong("by"), help: "Which places: country, region or city.")
  var level: PlaceLevel = .country

  @Flag(help: "List what you only passed through, too.")
  var all = false

  func run() throws {
    try Console.reportingErrors {
      let every = try store.open(creating: false).placeVisits(by: level)
      let shown = all ? every : every.filter(\.isVisited)
      if store.json {
        Console.print(["places": .array(shown.map { $0.json(level) })])
        return
      }
      var table = Table([.left, .left, .right, .right, .right, .left])
      for visit in shown {
        table.add([
          Self.name(visit.place, level), Wording.days(visit.firstTime, visit.lastTime),
          Wording.duration(visit.staySeconds), Wording.count(visit.visitedRegions, "region"),
          Wording.count(visit.visits, "visit"), visit.isVisited ? "" : "passed through",
        ])
      }
      table.lines().forEach(Console.print)
      let visited = every.count { $0.isVisited }
      Console.print(
        "\(Wording.count(visited, level.singular, level.plural)) visited, "
          + "\(Wording.count(every.count - visited)) passed through")
    }
  }

  private static func name(_ place: PlaceNames, _ level: PlaceLevel) -> String {
    let finest = level == .country ? nil : level == .region ? place.region : place.city
    return [finest, CountryWording.current.text(place)].compactMap { $0 }.joined(separator: ", ")
  }
}

extension PlaceLevel {
  fileprivate var singular: String { self == .city ? "city" : rawValue }
  fileprivate var plural: String {
    switch self {
    case .country: "countries"
    case .region: "regions"
    case .city: "cities"
    }
  }
}
