import GeoStore
import Geocode
import Geodesy
import Synchronization

extension PlaceNames {
  /// The names of a place that a visited region stores.
  init(_ place: Place) {
    self.init(
      countryCode: place.countryCode, country: place.country, regionCode: place.regionCode,
      region: place.region, district: place.district, city: place.city, quarter: place.quarter)
  }
}

/// Names the places of regions. Keeps the last answer, since neighboring fixes of a track share a
/// place.
final class PlaceNamer: Sendable {
  private let geocoder: Geocoder
  private let last = Mutex<(codes: PlaceCodes, names: PlaceNames)?>(nil)

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// The names of the place of a coordinate.
  func names(at coordinate: Coordinate) -> PlaceNames {
    let codes = geocoder.codes(at: coordinate)
    return last.withLock { last in
      if let last, last.codes == codes { return last.names }
      let names = PlaceNames(geocoder.names(of: codes))
      last = (codes, names)
      return names
    }
  }
}
