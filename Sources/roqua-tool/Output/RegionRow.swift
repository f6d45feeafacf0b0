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
    place = [region.place.city, CountryWording.current.text(region.place)].compactMap { $0 }
      .joined(separator: ", ")
  }
}
