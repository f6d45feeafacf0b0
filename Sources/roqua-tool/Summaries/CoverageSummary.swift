import GeoStore
import Geodesy
import Roqua

/// A coverage in words and tables.
struct CoverageSummary {
  let report: CoverageReport
  /// The largest number of rows of a breakdown; nil for all.
  let top: Int?

  func print(_ breakdowns: [Breakdown]) {
    printTotals()
    if let frontier = report.frontier { print(frontier) }
    for breakdown in Breakdown.allCases where breakdowns.contains(breakdown) {
      if let shares = report.places[breakdown] { print(shares, by: breakdown) }
      if let shares = report.periods[breakdown] {
        PeriodTable(shares: shares, breakdown: breakdown, clock: report.query.clock, top: top)
          .print()
      }
    }
  }

  private func printTotals() {
    let totals = TotalsTable(
      totals: report.totals, placeShare: report.placeShare, query: report.query,
      decimals: report.percentageDecimals)
    totals.headline().forEach(Console.print)
    Console.print("")
    totals.lines().forEach(Console.print)
    Console.print("")
    printShapes()
    if let bounds = report.bounds {
      TerminalWidth.wrapped(
        "latitudes \(Self.degrees(bounds.south)) to \(Self.degrees(bounds.north)), longitudes "
          + "\(Self.degrees(bounds.west)) to \(Self.degrees(bounds.east)) (eastward)"
      ).forEach(Console.print)
    }
  }

  private func printShapes() {
    var table = Table([.label, .right, .left])
    if let box = report.box, let percentage = report.boxPercentage {
      table.add([
        "share of the box", Wording.percentage(percentage, decimals: report.percentageDecimals),
        "of \(Wording.area(box.areaSquareMeters / 1e6)) in \(Wording.count(box.cellCount, "cell"))",
      ])
    }
    table.add(["tiles", Wording.count(report.tiles), "with an explored cell"])
    if let count = report.frontierCount {
      table.add(["frontier", Wording.count(count), "unexplored cells next to explored ones"])
    }
    if let square = report.largestSquare {
      table.add([
        "largest square", "\(Wording.count(square.side)) × \(Wording.count(square.side))",
        "cells, from \(square.southWest) north and east",
      ])
    }
    if let cluster = report.largestCluster {
      table.add(["largest cluster", Wording.count(cluster.cells), "fully surrounded cells"])
    }
    table.lines().forEach(Console.print)
  }

  private static func degrees(_ value: Double) -> String { Wording.decimal(value, 5) + "°" }

  private func print(_ frontier: [CoverageReport.FrontierEntry]) {
    Console.print("")
    let center = report.frontierCenter.map {
      " nearest to \(Wording.decimal($0.latitudeDegrees, 5)) "
        + Wording.decimal($0.longitudeDegrees, 5)
    }
    Console.print("frontier\(frontier.isEmpty ? "" : center ?? "")")
    if frontier.isEmpty { Console.print("  none") }
    var table = Table([.left, .left, .right])
    table.addHeader(["cell", "center", "distance"])
    for entry in frontier {
      let center = entry.center
      table.add([
        "\(entry.cell)",
        "\(Wording.decimal(center.latitudeDegrees, 5)) "
          + "\(Wording.decimal(center.longitudeDegrees, 5))",
        entry.distanceMeters.map { Wording.distance($0) } ?? "",
      ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }

  private func print(_ shares: [GroundShare], by breakdown: Breakdown) {
    guard !shares.isEmpty else { return }
    var table = Table([.left] + ShareColumns.alignments)
    let headers = ShareColumns.headers(by: breakdown)
    let labels = PlaceLabels(shares.lazy.map(\.place), by: breakdown)
    table.addHeader([""] + headers[0])
    table.addHeader([breakdown.rawValue] + headers[1])
    for share in shares.prefix(top ?? .max) {
      table.add(
        [labels.text(share.place)]
          + ShareColumns.numbers(share, decimals: report.percentageDecimals))
    }
    Console.print("")
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(shares.count, top)
  }
}
