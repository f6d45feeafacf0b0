import GeoStore
import Roqua

/// Statistics in words and tables.
struct StatisticsSummary {
  let statistics: Statistics
  /// The largest number of rows of a breakdown; nil for all.
  let top: Int?

  func print(_ breakdowns: [Breakdown]) {
    printTotals()
    for breakdown in Breakdown.allCases where breakdowns.contains(breakdown) {
      if let shares = statistics.places[breakdown] { print(shares, by: breakdown) }
      if let shares = statistics.periods[breakdown] {
        PeriodTable(shares: shares, breakdown: breakdown, clock: statistics.query.clock, top: top)
          .print()
      }
    }
  }

  private func printTotals() {
    let totals = TotalsTable(
      totals: statistics.totals, placeShare: statistics.placeShare, query: statistics.query,
      decimals: statistics.percentageDecimals)
    totals.headline().forEach(Console.print)
    Console.print("")
    totals.lines().forEach(Console.print)
    Console.print("")
    let counts = statistics.counts
    if counts.visitedRegions == 0, counts.keptFixes == 0, counts.cellSources > 0 {
      // Visits, and the countries and cities of visits, need fixes.
      Console.print(
        "no visits: \(Wording.count(counts.cellSources, "source")) of cells without times")
      return
    }
    let visited =
      "\(Wording.count(counts.visitedRegions, "visited region")), "
      + "\(Wording.count(counts.visits, "visit")), in "
      + [
        Wording.count(counts.countries, "country", "countries"),
        Wording.count(counts.regions, "region"),
        Wording.count(counts.cities, "city", "cities"),
      ].joined(separator: ", ")
    TerminalWidth.wrapped(visited).forEach(Console.print)
    Console.print(
      "\(Wording.count(counts.keptFixes, "kept fix", "kept fixes")); \(Self.sources(counts))")
    if let flights = statistics.flights, flights.count > 0 {
      let points = Wording.count(flights.keptFixes, "kept fix", "kept fixes")
      Console.print(
        "\(Wording.count(flights.count, "flight")) of "
          + "\(Wording.distance(flights.distanceKilometers * 1_000)), with \(points) in the air")
    }
  }

  /// `2 sources of fixes, 1 source of regions`. A source of cells has no fixes and no visited
  /// regions, only explored cells; one of regions was adopted, and has no fixes.
  private static func sources(_ counts: StoreCounts) -> String {
    let others = [(counts.regionSources, "regions"), (counts.cellSources, "cells")]
    let tracks = counts.sources - counts.regionSources - counts.cellSources
    let all = [(tracks, "fixes")] + others
    let some = all.filter { $0.0 > 0 }
    return (some.isEmpty ? [all[0]] : some)
      .map { Wording.count($0.0, "source") + " of \($0.1)" }.joined(separator: ", ")
  }

  private func print(_ shares: [PlaceShare], by breakdown: Breakdown) {
    guard !shares.isEmpty else { return }
    var table = placeTable(shares, by: breakdown, days: Wording.days)
    if !table.fits(whole: true) {
      // Years in place of days, unless even these rows take several lines.
      let short = placeTable(shares, by: breakdown, days: Wording.shortDays)
      if short.fits(whole: false) { table = short }
    }
    Console.print("")
    table.lines().forEach(Console.print)
    Self.printRest(shares.count, top)
  }

  /// The table of places.
  ///
  /// - Parameter days: the words for the first and the last day.
  private func placeTable(
    _ shares: [PlaceShare], by breakdown: Breakdown, days: (String?, String?) -> String
  ) -> Table {
    var table = Table([.left] + ShareColumns.alignments + [.right, .left])
    let headers = ShareColumns.headers(by: breakdown)
    let labels = PlaceLabels(shares.lazy.map(\.place), by: breakdown)
    table.addHeader([""] + headers[0] + ["visited", "dates"])
    table.addHeader(
      [breakdown.rawValue] + headers[1] + ["regions", Wording.clock(statistics.query.clock)])
    for share in shares.prefix(top ?? .max) {
      table.add(
        [labels.text(share.place)]
          + ShareColumns.numbers(share.share, decimals: statistics.percentageDecimals) + [
            Wording.count(share.visitedRegions),
            share.visitedRegions > 0 ? days(share.firstDay, share.lastDay) : "",
          ])
    }
    return table
  }

  /// How many rows `--top` left out.
  static func printRest(_ count: Int, _ top: Int?) {
    guard let top, count > top else { return }
    Console.print("and \(Wording.count(count - top)) more")
  }
}

/// The newly explored area by period.
struct PeriodTable {
  let shares: [PeriodShare]
  let breakdown: Breakdown
  let clock: StatisticsQuery.Clock
  /// The number of rows, those with the largest areas; nil for all.
  let top: Int?

  func print() {
    guard !shares.isEmpty else { return }
    var table = Table([.left, .right, .right])
    table.addHeader([breakdown.rawValue, "newly explored", "new cells"])
    table.addHeader([Wording.clock(clock), Wording.areaUnit(), ""])
    for share in PeriodShare.largest(top, of: shares) {
      table.add([
        share.period ?? "no date", Wording.areaNumber(share.newAreaSquareKilometers),
        Wording.count(share.newCells),
      ])
    }
    Console.print("")
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(shares.count, top)
  }
}
