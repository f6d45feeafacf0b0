import GridHash
import Roqua

/// The totals of what is explored as rows of a table: what a number is, how much, of how much.
struct TotalsTable {
  let totals: CoverageTotals
  let decimals: Int

  func add(to table: inout Table, tiles: Int? = nil) {
    table.add([
      "explored", Wording.area(totals.areaSquareKilometers),
      "in \(Wording.count(totals.cells, "cell"))"
        + (tiles.map { " of \(Wording.count($0, "tile"))" } ?? ""),
    ])
    table.add([
      "of the Earth", percentage(totals.worldPercentage),
      "of \(Wording.area(totals.areaOfEarthSquareKilometers)), land and sea",
    ])
    table.add([
      "of its land", percentage(totals.landPercentage),
      Self.ofLand(totals.landAreaSquareKilometers, of: totals.landAreaOfEarthSquareKilometers),
    ])
    table.add([
      "of all cells", percentage(totals.cellPercentage),
      "of \(Wording.count(totals.allCells)); the app's number, which grows with latitude",
    ])
  }

  private func percentage(_ value: Double) -> String {
    Wording.percentage(value, decimals: decimals)
  }

  /// `12.3 km² of 4,567 km² of land`: what a percentage of land is made of.
  static func ofLand(_ land: Double, of total: Double) -> String {
    "\(Wording.area(land)) of \(Wording.area(total)) of land"
  }

  /// The columns of a place: all its explored ground and the land in it, the percentage, and what
  /// that is a percentage of.
  static func columns(_ share: GroundShare, decimals: Int) -> [String] {
    let land = share.ground.landAreaSquareKilometers
    let areas = [
      "\(Wording.area(share.ground.areaSquareKilometers)) explored",
      land == 0 ? "no land" : "\(Wording.area(land)) of it land",
    ]
    if let percentage = share.percentage, let total = share.totalLandAreaSquareKilometers {
      return areas + [
        Wording.percentage(percentage, decimals: decimals), "of \(Wording.area(total)) of land",
      ]
    }
    // At sea, in no country or of no city: there is no whole to be a share of. Of a city so near a
    // larger one that no ground is its own, nobody knows the size.
    let isUnknown = share.place.city != nil && share.totalLandAreaSquareKilometers == 0
    return areas + ["", isUnknown ? "size not known" : ""]
  }

  /// How the columns of a place are aligned.
  static let alignments: [Table.Alignment] = [.right, .right, .right, .left]
}
