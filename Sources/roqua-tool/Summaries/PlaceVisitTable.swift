import GeoStore
import Roqua

/// Visited places in a table.
struct PlaceVisitTable {
  let visits: [PlaceVisit]
  let level: PlaceLevel
  /// Distinguishes places of one name.
  let labels: PlaceLabels

  func lines() -> [String] {
    var table = Table([.left, .left, .right, .right, .right, .left])
    table.addHeader(["", "", "", "visited", "", ""])
    table.addHeader([level.singular, "dates", "stay", "regions", "visits", ""])
    for visit in visits {
      table.add([
        labels.text(visit.place), Wording.days(visit.firstDay, visit.lastDay),
        Wording.duration(visit.staySeconds), Wording.count(visit.visitedRegions),
        Wording.count(visit.visits), visit.isVisited ? "" : "passed through",
      ])
    }
    return table.lines()
  }
}

extension PlaceLevel {
  /// `city`
  var singular: String { rawValue }
  /// `cities`
  var plural: String {
    switch self {
    case .country: "countries"
    case .region: "regions"
    case .city: "cities"
    }
  }
}
