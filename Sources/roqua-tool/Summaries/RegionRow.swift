import GeoStore

/// The columns that a list of regions shows.
struct RegionRow {
  let position: String
  let visits: String
  let days: String
  let place: String

  init(_ region: VisitedRegion) {
    position =
      "\(Wording.decimal(region.coordinate.latitudeDegrees, 5)) "
      + Wording.decimal(region.coordinate.longitudeDegrees, 5)
    visits = Wording.count(region.visitCount, "visit")
    days = Wording.days(region.timestampStart, region.timestampEnd)
    let wording = PlaceWording.current
    place = [wording.translated(region.place).city, wording.text(region.place)].compactMap { $0 }
      .joined(separator: ", ")
  }
}
