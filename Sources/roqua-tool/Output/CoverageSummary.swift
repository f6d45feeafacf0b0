import GeoStore
import Geodesy
import Roqua

/// A coverage in words and tables.
struct CoverageSummary {
  let report: CoverageReport

  func print(_ breakdowns: [Breakdown]) {
    printTotals()
    if let frontier = report.frontier { print(frontier) }
    for breakdown in Breakdown.allCases where breakdowns.contains(breakdown) {
      if let shares = report.places[breakdown] { print(shares, by: breakdown) }
      if let shares = report.periods[breakdown] {
        StatisticsSummary.printPeriods(shares, by: breakdown)
      }
    }
  }

  private func printTotals() {
    var table = Table([.left, .right, .left])
    TotalsTable(totals: report.totals, decimals: report.percentageDecimals)
      .add(to: &table, tiles: report.tiles)
    if let box = report.box, let percentage = report.boxPercentage {
      table.add([
        "of the box", Wording.percentage(percentage, decimals: report.percentageDecimals),
        "of \(Wording.area(box.areaSquareMeters / 1e6)) in \(Wording.count(box.cellCount, "cell"))",
      ])
    }
    table.add([
      "frontier", Wording.count(report.frontierCount), "unexplored cells beside explored ones",
    ])
    if let square = report.largestSquare {
      table.add([
        "square", "\(Wording.count(square.side)) × \(Wording.count(square.side))",
        "cells, from \(square.southWest) north and east",
      ])
    }
    if let cluster = report.largestCluster {
      table.add(["cluster", Wording.count(cluster.cells), "cells in the midst of explored ones"])
    }
    table.lines().forEach(Console.print)
    if let bounds = report.bounds {
      Console.print(
        "between \(Self.degrees(bounds.south)) and \(Self.degrees(bounds.north)) of latitude, from "
          + "\(Self.degrees(bounds.west)) eastwards to \(Self.degrees(bounds.east)) of longitude")
    }
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
    for entry in frontier {
      let center = entry.center
      table.add([
        "\(entry.cell)",
        "\(Wording.decimal(center.latitudeDegrees, 5)) "
          + "\(Wording.decimal(center.longitudeDegrees, 5))",
        entry.distanceMeters.map(Wording.distance) ?? "",
      ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }

  private func print(_ shares: [GroundShare], by breakdown: Breakdown) {
    Console.print("")
    Console.print("by \(breakdown.rawValue)")
    var table = Table([.left] + TotalsTable.alignments)
    for share in shares {
      table.add(
        [StatisticsSummary.name(share.place, breakdown)]
          + TotalsTable.columns(share, decimals: report.percentageDecimals))
    }
    table.lines(indent: "  ").forEach(Console.print)
  }
}
