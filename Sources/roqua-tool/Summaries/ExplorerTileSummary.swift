import GeoStore
import Geodesy
import GridHash
import Roqua

/// Explorer tiles in words and tables.
struct ExplorerTileSummary {
  let report: ExplorerTileReport
  /// Whether to list the squares that lack the fewest tiles.
  let listsGrowth: Bool
  /// The largest number of rows of a breakdown; nil for all.
  let top: Int?

  func print(_ breakdowns: [Breakdown]) {
    let query = report.query
    let times = query.selection.times.map { " first visited \(Wording.range($0))" } ?? " visited"
    let clock = query.selection.times == nil || query.selection.clock == .local ? "" : " (UTC)"
    let place = query.selection.place.map { " in \(PlaceWording.current.label($0))" } ?? ""
    Console.print(
      "\(Wording.count(report.tiles.count, "explorer tile")) of zoom \(query.zoom)\(times)\(clock)"
        + place)
    printShapes()
    if listsGrowth {
      printGrowth()
    } else if let missing = report.missing {
      print(missing)
    }
    for breakdown in Breakdown.allCases where breakdowns.contains(breakdown) {
      if let periods = report.periods[breakdown] { print(periods, by: breakdown) }
    }
  }

  private func printShapes() {
    var table = Table([.left, .right, .left])
    if let largest = report.largestSquares {
      let place = report.squarePlaces.first.map { " \(Self.name($0))" } ?? ""
      let others = largest.squares.count - 1
      table.add([
        "largest square", Self.size(largest.side),
        "tiles\(place)"
          + (others > 0 ? " and \(Wording.count(others, "other place"))" : ""),
      ])
    }
    if let cluster = report.largestCluster {
      table.add([
        "largest cluster", Wording.count(cluster.count), "tiles whose neighbors are visited too",
      ])
    }
    if let growth = report.growth {
      table.add([
        "larger square", Self.size(growth.side),
        "lacks \(Wording.count(growth.missingCount, "tile"))",
      ])
    }
    let lines = table.lines()
    if !lines.isEmpty { Console.print("") }
    lines.forEach(Console.print)
  }

  private func printGrowth() {
    guard let growth = report.growth else { return }
    for place in report.growthPlaces {
      Console.print("")
      let distance = place.place.distanceMeters.map { ", \(Wording.distance($0)) away" } ?? ""
      Console.print(
        "missing for \(Self.size(growth.side)) \(Self.name(place.place))\(distance)")
      var table = Table([.left, .left])
      for tile in place.missing { table.add(["\(tile)", Self.text(tile.center)]) }
      table.lines(indent: "  ").forEach(Console.print)
    }
    let others = growth.squares.count - report.growthPlaces.count
    if others > 0 {
      Console.print("")
      Console.print(
        "\(Wording.count(others, "more square")) \(others == 1 ? "lacks" : "lack") as few; "
          + "--limit lists more of them")
    }
  }

  private func print(_ missing: [ExplorerTileReport.MissingTile]) {
    Console.print("")
    guard !missing.isEmpty else {
      return Console.print("no missing tiles: the map ends at 85.05° of latitude")
    }
    var table = Table([.left, .left, .right])
    table.addHeader(["missing tile", "center", "distance"])
    for entry in missing {
      table.add([
        "\(entry.tile)", Self.text(entry.tile.center), Wording.distance(entry.distanceMeters),
      ])
    }
    table.lines().forEach(Console.print)
  }

  private func print(_ periods: [ExplorerTileReport.Period], by breakdown: Breakdown) {
    guard !periods.isEmpty else { return }
    var table = Table([.left, .right])
    table.addHeader([breakdown.rawValue, "new tiles"])
    table.addHeader([Wording.clock(report.query.selection.clock), ""])
    for period in ExplorerTileReport.largest(top, of: periods) {
      table.add([period.period ?? "no date", Wording.count(period.newTiles)])
    }
    Console.print("")
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(periods.count, top)
  }

  private static func size(_ side: Int) -> String {
    "\(Wording.count(side)) × \(Wording.count(side))"
  }

  /// `in Munich, Germany`, or `at sea or in no country`.
  private static func name(_ place: ExplorerTileReport.SquarePlace) -> String {
    let names = [place.place]
    let breakdown: Breakdown = place.place.city == nil ? .country : .city
    let label = PlaceLabels(names, by: breakdown).text(place.place)
    return place.place.countryCode == nil ? label : "in \(label)"
  }

  private static func text(_ center: Coordinate) -> String {
    "\(Wording.decimal(center.latitudeDegrees, 5)) \(Wording.decimal(center.longitudeDegrees, 5))"
  }
}
