import GridHash
import Roqua

/// The first words about what is explored: the two numbers that a person wants, then a table of
/// each number, the whole it is a part of, and the percentage.
struct TotalsTable {
  let totals: CoverageTotals
  let placeShare: GroundShare?
  let query: StatisticsQuery
  let decimals: Int?

  /// The explored area, then the share of land: of the place if there is one, else of the world.
  func headline() -> [String] {
    let times =
      query.times.map {
        "newly explored \(Wording.range($0))\(query.clock == .utc ? "" : " (UTC)")"
      } ?? "explored"
    let area = query.place.map { " in \(PlaceWording.current.label($0))" } ?? ""
    let all = Wording.area(totals.areaSquareKilometers)
    let ofLand = Wording.area(totals.landAreaSquareKilometers)
    let first = "\(all) \(times)\(area)" + (ofLand == all ? "" : ", \(ofLand) of it land")
    guard let place = query.place, let placeShare else {
      return [first, "\(percentage(totals.landPercentage)) of the world's land"]
    }
    if placeShare.ground.areaSquareKilometers == 0 { return [first, "0 % of its land"] }
    let share = placeShare.percentage.map { share in
      let text = percentage(share)
      guard place.level == .city else { return "\(text) of its land" }
      // What the first line counts may lie outside of the city's limits.
      let within = Wording.area(placeShare.ground.landAreaSquareKilometers)
      return within == ofLand
        ? "\(text) of the land within the city's limits"
        : "\(within) of it land within the city's limits, \(text) of the land there"
    }
    let reason =
      place.level == .city ? "a larger city is too close" : "it is too small for the grid"
    return [first, share ?? "its land area is unknown: \(reason)"]
  }

  /// The rows of land, of land and sea, and of cells.
  func lines() -> [String] {
    let table = table(isNarrow: false)
    return table.fits(whole: true) ? table.lines() : self.table(isNarrow: true).lines()
  }

  /// - Parameter isNarrow: true for short names of the rows.
  private func table(isNarrow: Bool) -> Table {
    let unit = Wording.areaUnit()
    var table = Table([.label, .right, .right, .point])
    table.addHeader(["", "explored", "all", "%"])
    func add(_ name: String, _ explored: Double, of all: Double, _ percentage: Double) {
      table.add([
        name, Wording.areaNumber(explored), Wording.areaNumber(all), number(percentage),
      ])
    }
    if let placeShare, let total = placeShare.totalLandAreaSquareKilometers {
      let isCity = query.place?.level == .city
      let limits =
        isNarrow
        ? isCity ? "in its limits" : "its land"
        : isCity ? "land in the city's limits" : "land of the place"
      add(
        "\(limits), \(unit)", placeShare.ground.landAreaSquareKilometers, of: total,
        placeShare.percentage ?? 0)
    }
    let land = placeShare == nil ? "land" : isNarrow ? "world's land" : "land of the world"
    add(
      "\(land), \(unit)", totals.landAreaSquareKilometers,
      of: totals.landAreaOfEarthSquareKilometers, totals.landPercentage)
    add(
      "land and sea, \(unit)", totals.areaSquareKilometers, of: totals.areaOfEarthSquareKilometers,
      totals.worldPercentage)
    table.add([
      "cells, as in the app", Wording.count(totals.cells), Wording.count(totals.allCells),
      number(totals.cellPercentage),
    ])
    return table
  }

  private func percentage(_ value: Double) -> String {
    Wording.percentage(value, decimals: decimals)
  }

  private func number(_ value: Double) -> String {
    Wording.percentageNumber(value, decimals: decimals)
  }
}

/// The columns of a place: its explored area, the land in that, all its land, and the percentage of
/// land.
enum ShareColumns {
  /// How the columns are aligned.
  static let alignments: [Table.Alignment] = [.right, .right, .right, .point]

  /// The two lines above the columns. What is explored of a city may lie outside of its limits, and
  /// only the land in them counts toward its share.
  static func headers(by breakdown: Breakdown) -> [[String]] {
    let unit = Wording.areaUnit()
    let land = breakdown == .city ? ["in limits", "all land"] : ["of it land", "all land"]
    return [["explored", land[0], land[1], "explored"], [unit, unit, unit, "% of land"]]
  }

  /// The numbers of a place. A place at sea or in no country has no land to be a share of. The size
  /// of a city is unknown if it is so near to a larger one that no ground is its own.
  static func numbers(_ share: GroundShare, decimals: Int?) -> [String] {
    let areas = [
      Wording.areaNumber(share.ground.areaSquareKilometers),
      Wording.areaNumber(share.ground.landAreaSquareKilometers),
    ]
    guard let percentage = share.percentage, let total = share.totalLandAreaSquareKilometers else {
      let isUnknown = share.place.city != nil && share.totalLandAreaSquareKilometers == 0
      return areas + [isUnknown ? "unknown" : "", ""]
    }
    return areas + [
      Wording.areaNumber(total), Wording.percentageNumber(percentage, decimals: decimals),
    ]
  }
}
