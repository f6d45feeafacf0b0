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
  /// The distances from the center, and what decides; nil if the radius is beyond their reach.
  private var disc: (near: NearbyDistance, limits: ChordLimits)?
  /// What decides nearly everything else; nil if the limits may contain a pole, or are more than
  /// 500 km from the center.
  private var coarse: CoarseDisc?

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// Returns true if a point, whose city is this one, lies within the city's limits.
  ///
  /// - Complexity: O(1); a dozen multiplications unless the point is within a millimeter of the
  ///   limits, or the limits are more than 20 km from the center and the point is near them
  ///   (``CoarseDisc``).
  mutating func hold(_ coordinate: Coordinate, of city: CityIndex) -> Bool {
    if city != self.city { change(to: city) }
    guard let center else { return false }
    if let (near, limits) = disc, near.covers(coordinate) {
      let squared = near.squaredChord(
        latitudeE7: coordinate.latitudeE7, longitudeE7: coordinate.longitudeE7)
      if squared <= limits.surelyInside { return true }
      if squared > limits.surelyOutside { return false }
    }
    return coarse?.contains(coordinate) ?? (center.distanceMeters(to: coordinate) <= radiusMeters)
  }

  private mutating func change(to city: CityIndex) {
    self.city = city
    center = geocoder.coordinate(of: city)
    radiusMeters = geocoder.cityLimitsRadiusMeters(of: city)
    (disc, coarse) = (nil, nil)
    guard let center else { return }
    coarse = CoarseDisc(center: center, radiusMeters: radiusMeters)
    let near = NearbyDistance(center: center)
    guard near.reaches(radiusMeters) else { return }
    disc = (near, ChordLimits(near, radiusMeters: radiusMeters))
  }
}
