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

  private func printTotals() {
    let counts = statistics.counts
    var table = Table([.left, .right, .left])
    TotalsTable(totals: statistics.totals, decimals: statistics.percentageDecimals).add(to: &table)
    table.lines().forEach(Console.print)
    Console.print("")
    Console.print(
      "\(Wording.count(counts.visitedRegions, "visited region")), "
        + "\(Wording.count(counts.visits, "visit")), in "
        + [
          Wording.count(counts.countries, "country", "countries"),
          Wording.count(counts.regions, "region"),
          Wording.count(counts.cities, "city", "cities"),
        ].joined(separator: ", "))
    // A source of cells has no fixes and no visited regions, only explored ground.
    let tracks = Wording.count(counts.sources - counts.cellSources, "source") + " of fixes"
    let cells = Wording.count(counts.cellSources, "source") + " of cells"
    Console.print(
      "\(Wording.count(counts.keptFixes, "kept fix", "kept fixes")); \(tracks)"
        + (counts.cellSources > 0 ? ", \(cells)" : ""))
  }

  private func print(_ shares: [PlaceShare], by breakdown: Breakdown) {
    Console.print("")
    Console.print("by \(breakdown.rawValue)")
    var table = Table([.left] + TotalsTable.alignments + [.right, .left])
    for share in shares {
      table.add(
        [Self.name(share.place, breakdown)]
          + TotalsTable.columns(share.share, decimals: statistics.percentageDecimals) + [
            Wording.count(share.visitedRegions, "visited region"),
            share.visitedRegions > 0 ? Wording.days(share.firstTime, share.lastTime) : "",
          ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }

  static func name(_ place: PlaceNames, _ breakdown: Breakdown) -> String {
    guard let country = CountryWording.current.text(place) else {
      return "at sea, or in no country"
    }
    switch breakdown {
    case .region: return "\(place.region ?? "–"), \(country)"
    case .city: return "\(place.city ?? "no city"), \(country)"
    default: return country
    }
  }

  private func print(_ shares: [PeriodShare], by breakdown: Breakdown) {
    Self.printPeriods(shares, by: breakdown)
  }

  /// New ground by period.
  static func printPeriods(_ shares: [PeriodShare], by breakdown: Breakdown) {
    Console.print("")
    Console.print("new ground by \(breakdown.rawValue)")
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
