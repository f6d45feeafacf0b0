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
  /// The distances from the center; nil if the radius is beyond their reach.
  private var near: NearbyDistance?
  /// Squared chords: below the first, a point is certainly within the limits; above the second,
  /// certainly not. They are a millimeter to either side of the radius, ten times the greatest
  /// error of ``NearbyDistance``.
  private var surelyInside = 0.0
  private var surelyOutside = 0.0

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// Returns true if a point, whose city is this one, lies within the city's limits.
  ///
  /// - Complexity: O(1); a dozen multiplications unless the point is within a millimeter of the
  ///   limits, or the limits are more than 20 km from the center.
  mutating func hold(_ coordinate: Coordinate, of city: CityIndex) -> Bool {
    if city != self.city { change(to: city) }
    guard let center else { return false }
    // Longitudes on the other side of ±180° are beyond the reach too.
    let up = abs(Int64(coordinate.latitudeE7) - Int64(center.latitudeE7))
    let across = abs(Int64(coordinate.longitudeE7) - Int64(center.longitudeE7))
    if let near, up <= NearbyDistance.latitudeReachE7, across <= NearbyDistance.longitudeReachE7 {
      let squared = near.squaredChord(
        latitudeE7: coordinate.latitudeE7, longitudeE7: coordinate.longitudeE7)
      if squared <= surelyInside { return true }
      if squared > surelyOutside { return false }
    }
    return center.distanceMeters(to: coordinate) <= radiusMeters
  }

  private mutating func change(to city: CityIndex) {
    self.city = city
    center = geocoder.coordinate(of: city)
    radiusMeters = geocoder.cityLimitsRadiusMeters(of: city)
    near = center.map { NearbyDistance(center: $0) }.flatMap {
      $0.reaches(radiusMeters + 1) ? $0 : nil
    }
    guard let near else { return }
    surelyInside = radiusMeters > 0.001 ? near.squaredChord(meters: radiusMeters - 0.001) : -1
    surelyOutside = near.squaredChord(meters: radiusMeters + 0.001)
  }
}
