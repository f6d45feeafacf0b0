import ArgumentParser
import GeoStore
import Roqua

extension PlaceLevel: ExpressibleByArgument {}

struct Places: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "List the countries, regions or cities where you have been.",
    discussion: """
      A country counts as visited after a stay of an hour, a region or city after 20 minutes. \
      Time spent traveling at more than 252 km/h is not a stay. --all also lists places that you \
      only passed through.

      Places are listed by first visit; with --top, those with the longest stay, longest first. \
      --from and --to count only fixes and visits in that time (UTC).

      Examples:
        roqua places --by city --country Japan
        roqua places --by city --from 2024 --to 2024 --top 5
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    name: .customLong("by"),
    help: "List countries, regions or cities; by default countries, or the named region or city.")
  var namedLevel: PlaceLevel?

  private var level: PlaceLevel {
    namedLevel ?? (selection.city != nil ? .city : selection.region != nil ? .region : .country)
  }

  @Flag(help: "List places that you only passed through, too.")
  var all = false

  @OptionGroup var selection: SelectionArguments

  @OptionGroup var top: TopArgument

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let query = try selection.query(of: explorer)
      let every = try WorkProgress.counting { try explorer.placeVisits(by: level, query) }
      let shown = Self.longest(top.count, of: all ? every : every.filter(\.isVisited))
      if store.json {
        Console.print(["places": .array(shown.map { $0.json(level, clock: query.clock) })])
        return
      }
      let labels = PlaceLabels(every.lazy.map(\.place), by: level.breakdown)
      PlaceVisitTable(visits: shown, level: level, labels: labels).lines().forEach(Console.print)
      let listed = all ? every.count : every.count { $0.isVisited }
      StatisticsSummary.printRest(listed, top.count)
      Console.print(Self.total(of: every, level, in: query.place, isListed: all))
    }
  }

  /// `5 countries visited, 2 passed through`
  ///
  /// - Parameter isListed: whether those that were passed through are listed.
  private static func total(
    of visits: [PlaceVisit], _ level: PlaceLevel, in place: NamedPlace?, isListed: Bool
  ) -> String {
    if visits.isEmpty, let place { return "No visits in \(PlaceWording.current.label(place))." }
    let visited = visits.count { $0.isVisited }
    let area = place.map { " in \(PlaceWording.current.label($0))" } ?? ""
    let total = "\(Wording.count(visited, level.singular, level.plural)) visited\(area)"
    let passed = visits.count - visited
    guard passed > 0 else { return total }
    return "\(total), \(Wording.count(passed)) passed through"
      + (isListed ? "" : " (--all lists them)")
  }

  /// The places with the longest stays, the longest first; all in their order if there is no limit.
  private static func longest(_ count: Int?, of visits: [PlaceVisit]) -> [PlaceVisit] {
    guard let count else { return visits }
    let ordered = visits.enumerated().sorted { left, right in
      let (one, other) = (left.element.staySeconds, right.element.staySeconds)
      return one == other ? left.offset < right.offset : one > other
    }
    return ordered.prefix(count).map(\.element)
  }
}
