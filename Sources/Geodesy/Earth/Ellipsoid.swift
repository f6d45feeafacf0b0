/// The WGS 84 ellipsoid.
///
/// - Source: NGA.STND.0036_1.0.0_WGS84, table 3.1 (defining parameters); the rest is derived from
///   them.
@usableFromInline
package enum Ellipsoid {
  /// Equatorial radius a, in meters (defining).
  @usableFromInline package static let semiMajorAxisMeters = 6_378_137.0
  /// Flattening f = (a - b) / a (defining, as 1/f).
  @usableFromInline package static let flattening = 1 / 298.257_223_563
  /// Polar radius b = a(1 - f), in meters: 6 356 752.314 2.
  @usableFromInline package static let semiMinorAxisMeters = semiMajorAxisMeters * (1 - flattening)
  /// First eccentricity squared, e² = f(2 - f): 0.006 694 379 990 14.
  @usableFromInline package static let eccentricitySquared = flattening * (2 - flattening)

  /// Radius of curvature along the meridian, M = a(1 - e²) / (1 - e² sin²φ)^(3/2), in meters:
  /// 6 335 439 at the equator, 6 399 594 at the poles.
  @inlinable
  package static func meridianRadiusMeters(sinLatitude: Double) -> Double {
    let w = 1 - eccentricitySquared * sinLatitude * sinLatitude
    return semiMajorAxisMeters * (1 - eccentricitySquared) / (w * w.squareRoot())
  }

  /// Radius of curvature across the meridian, N = a / √(1 - e² sin²φ), in meters:
  /// 6 378 137 at the equator, 6 399 594 at the poles.
  @inlinable
  package static func primeVerticalRadiusMeters(sinLatitude: Double) -> Double {
    semiMajorAxisMeters / (1 - eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
  }
}
