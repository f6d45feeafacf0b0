import GeoStore
import Geodesy
import Roqua

/// A coverage in words and tables.
struct CoverageSummary {
  let report: CoverageReport

  func print(_ levels: [PlaceLevel]) {
    printTotals()
    if !report.frontier.isEmpty { printFrontier() }
    for level in PlaceLevel.allCases where levels.contains(level) {
      if let shares = report.shares[level] { print(shares, by: level) }
    }
  }

  private func percentage(_ value: Double?) -> String {
    value.map { Wording.percentage($0, decimals: report.percentageDecimals) } ?? ""
  }

  private func printTotals() {
    var table = Table([.left, .right, .left])
    table.add([
      "explored", Wording.area(report.areaSquareKilometers),
      "in \(Wording.count(report.cells, "cell")) of \(Wording.count(report.tiles, "tile"))",
    ])
    if let box = report.box {
      table.add(["of the box", percentage(report.boxPercentage), Wording.area(box.areaSquareMeters / 1e6)])
    }
    table.add(["of the Earth", percentage(report.worldPercentage), "of its surface"])
    table.add([
      "of its land", percentage(report.landPercentage),
      "\(Wording.area(report.landAreaSquareKilometers)) of the explored is land",
    ])
    table.add([
      "of all cells", percentage(report.cellPercentage), "the app's number; it grows with latitude",
    ])
    table.add(["frontier", Wording.count(report.frontierCount), "unexplored cells beside explored ones"])
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

  private func printFrontier() {
    Console.print("\nfrontier")
    var table = Table([.left, .left, .right])
    for entry in report.frontier {
      let center = entry.center
      table.add([
        "\(entry.cell)",
        "\(Wording.decimal(center.latitudeDegrees, 5)) \(Wording.decimal(center.longitudeDegrees, 5))",
        entry.distanceMeters.map(Wording.distance) ?? "",
      ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }

  private func print(_ shares: [GroundShare], by level: PlaceLevel) {
    guard let breakdown = Breakdown(rawValue: level.rawValue) else { return }
    Console.print("\nby \(level.rawValue)")
    var table = Table([.left, .right, .right, .right])
    for share in shares {
      table.add([
        Console.safe(StatisticsSummary.name(share.place, breakdown)),
        Wording.area(share.ground.areaSquareKilometers), percentage(share.percentage),
        share.totalLandAreaSquareKilometers.map { "of \(Wording.area($0))" } ?? "",
      ])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }
}
