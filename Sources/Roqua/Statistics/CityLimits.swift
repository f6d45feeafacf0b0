import Geocode
import Geodesy
import GridHash

/// The limits of cities. The area of a city is the area whose place is that city and that lies
/// within a disc around its center.
struct CityLimits {
  private let geocoder: Geocoder
  private var city: CityIndex?
  private var center: Coordinate?
  private var radiusMeters = 0.0

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// Returns true if a point, whose city is this one, lies within the city's limits.
  mutating func hold(_ coordinate: Coordinate, of city: CityIndex) -> Bool {
    if city != self.city {
      self.city = city
      center = geocoder.coordinate(of: city)
      radiusMeters = geocoder.cityLimitsRadiusMeters(of: city)
    }
    guard let center else { return false }
    return center.distanceMeters(to: coordinate) <= radiusMeters
  }
}
