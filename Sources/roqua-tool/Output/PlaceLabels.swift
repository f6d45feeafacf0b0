import GeoStore
import Roqua

/// The labels of the places in a list: `Portland, United States`. Two places of one name in one
/// country have what distinguishes them, too: a city its region, a region its code.
struct PlaceLabels {
  private let breakdown: Breakdown
  private var counts: [[String?]: Int] = [:]

  init(_ places: some Sequence<PlaceNames>, by breakdown: Breakdown) {
    self.breakdown = breakdown
    for place in places { counts[key(place), default: 0] += 1 }
  }

  private func key(_ place: PlaceNames) -> [String?] {
    [place.countryCode, breakdown == .city ? place.city : place.region]
  }

  func text(_ place: PlaceNames) -> String {
    let wording = PlaceWording.current
    guard let country = wording.text(place) else { return "at sea or in no country" }
    let isUnique = counts[key(place), default: 0] < 2
    let place = wording.translated(place)
    switch breakdown {
    case .region:
      let code = isUnique ? nil : place.regionCode.map { " (\($0))" }
      return "\(place.region ?? "no region")\(code ?? ""), \(country)"
    case .city:
      let region = isUnique ? nil : place.region.map { ", \($0)" }
      return "\(place.city ?? "no city")\(region ?? ""), \(country)"
    default: return country
    }
  }
}
