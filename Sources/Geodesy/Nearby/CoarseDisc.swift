#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A disc that decides for most points, without a sine, whether they lie in it. For radii beyond
/// the reach of ``NearbyDistance``.
///
/// On a map with equally spaced degrees, a straight line is a path between two points. It is no
/// longer than if every degree along it had the greatest length of the disc's latitudes, so the
/// distance is at most that. The distance is at least the chord, whose square is the sum of that
/// along the meridian and of ρ₁ ρ₂ (2 sin(Δλ / 2))² (``NearbyDistance``). Up to 0.1 rad,
/// (2 sin(x / 2))² is at most 0.1 % less than x². So 0.1 % is taken off each length, computed with
/// the least radii of the disc's latitudes.
package struct CoarseDisc: Sendable {
  private let center: Coordinate
  /// The largest difference of latitude within the disc, in units of 1e-7 degree.
  private let latitudeReach: Int64
  /// Squared meters per squared unit, at most and at least.
  private let most: (latitude: Double, longitude: Double)
  private let least: (latitude: Double, longitude: Double)
  private let squaredRadius: Double

  /// 0.1 rad in units of 1e-7 degree.
  private static let longitudeReach: Int64 = 57_295_779
  private static let longestRadiusMeters = 500_000.0

  /// Prepares for a disc; nil if its radius exceeds 500 km, or it may contain a pole.
  package init?(center: Coordinate, radiusMeters: Double) {
    guard radiusMeters >= 0, radiusMeters <= Self.longestRadiusMeters else { return nil }
    // A degree of latitude is nowhere shorter than on the equator. A millionth more for rounding.
    let shortest = Ellipsoid.meridianRadiusMeters(sinLatitude: 0)
    let reach = 1.000_001 * radiusMeters / shortest
    let latitude = abs(Double(center.latitudeE7)) * Coordinate.radiansPerUnit
    guard latitude + reach < .pi / 2 else { return nil }
    let (near, far) = (max(0, latitude - reach), latitude + reach)
    func squares(_ meridian: Double, _ parallel: Double) -> (latitude: Double, longitude: Double) {
      let unit = Coordinate.radiansPerUnit
      return (meridian * meridian * unit * unit, parallel * parallel * unit * unit)
    }
    func axisDistance(_ latitude: Double) -> Double {
      Ellipsoid.primeVerticalRadiusMeters(sinLatitude: sin(latitude)) * cos(latitude)
    }
    // The meridian's radius grows toward the poles, and the distance from the axis shrinks.
    most = squares(
      Ellipsoid.meridianRadiusMeters(sinLatitude: sin(far)) * 1.000_001,
      axisDistance(near) * 1.000_001)
    least = squares(
      Ellipsoid.meridianRadiusMeters(sinLatitude: sin(near)) * 0.999, axisDistance(far) * 0.999)
    latitudeReach = Int64((reach / Coordinate.radiansPerUnit).rounded(.up))
    squaredRadius = radiusMeters * radiusMeters
    self.center = center
  }

  /// Returns whether the distance from the center to a point is at most the radius; nil if only
  /// ``Coordinate/distanceMeters(to:)`` can show.
  ///
  /// - Complexity: O(1), a few multiplications.
  package func contains(_ point: Coordinate) -> Bool? {
    let north = Int64(point.latitudeE7) - Int64(center.latitudeE7)
    if abs(north) > latitudeReach { return false }
    let east = Int64(point.longitudeE7) - Int64(center.longitudeE7)
    guard abs(east) <= Self.longitudeReach else { return nil }
    let (north2, east2) = (Double(north * north), Double(east * east))
    if north2 * most.latitude + east2 * most.longitude <= squaredRadius { return true }
    if north2 * least.latitude + east2 * least.longitude > squaredRadius { return false }
    return nil
  }
}
