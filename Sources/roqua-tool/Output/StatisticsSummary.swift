import GeoStore
import Roqua

/// Statistics in words and tables.
struct StatisticsSummary {
  let statistics: Statistics

  func print(_ breakdowns: [Breakdown]) {
    printTotals()
    for breakdown in Breakdown.allCases where breakdowns.contains(breakdown) {
      if let shares = statistics.places[breakdown] { print(shares, by: breakdown) }
      if let shares = statistics.periods[breakdown] { print(shares, by: breakdown) }
    }
  }

  private func percentage(_ value: Double?) -> String {
    value.map { Wording.percentage($0, decimals: statistics.percentageDecimals) } ?? ""
  }

  private func printTotals() {
    let counts = statistics.counts
    var table = Table([.left, .right, .left])
    table.add([
      "explored", Wording.area(statistics.areaSquareKilometers),
      "in \(Wording.count(statistics.cells, "cell"))",
    ])
    table.add([
      "of the Earth", percentage(statistics.worldPercentage), "of its surface",
    ])
    table.add([
      "of its land", percentage(statistics.landPercentage),
      "\(Wording.area(statistics.landAreaSquareKilometers)) of the explored is land",
    ])
    table.add([
      "of all cells", percentage(statistics.cellPercentage), "the app's number; it grows with latitude",
    ])
    table.lines().forEach(Console.print)
    Console.print("")
    Console.print(
      [
        Wording.count(counts.countries, "country", "countries"), Wording.count(counts.regions, "region"),
        Wording.count(counts.cities, "city", "cities"),
      ].joined(separator: ", ")
        + "; \(Wording.count(counts.visitedRegions, "visited region")), "
        + "\(Wording.count(counts.visits, "visit")); "
        + "\(Wording.count(counts.keptFixes, "kept fix", "kept fixes")) of "
        + Wording.count(counts.sources, "source"))
  }

  private func print(_ shares: [PlaceShare], by breakdown: Breakdown) {
    Console.print("\nby \(breakdown.rawValue)")
    var table = Table([.left, .right, .right, .right, .left])
    for share in shares {
      table.add([
        Console.safe(Self.name(share.place, breakdown)), Wording.area(share.ground.areaSquareKilometers),
        percentage(share.percentage), Wording.count(share.visitedRegions, "region"),
        share.visitedRegions > 0 ? Wording.days(share.firstTime, share.lastTime) : "",
      ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }

  static func name(_ place: PlaceNames, _ breakdown: Breakdown) -> String {
    guard let country = CountryWording.current.text(place) else { return "at sea, or in no country" }
    switch breakdown {
    case .region: return "\(place.region ?? "–"), \(country)"
    case .city: return "\(place.city ?? "no city"), \(country)"
    default: return country
    }
  }

  private func print(_ shares: [PeriodShare], by breakdown: Breakdown) {
    Console.print("\nnew ground by \(breakdown.rawValue)")
    var table = Table([.left, .right, .right])
    for share in shares {
      table.add([
        share.period ?? "no date", Wording.area(share.newAreaSquareKilometers),
        Wording.count(share.newCells, "cell"),
      ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }
}
