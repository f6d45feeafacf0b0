/// Excludes coordinates that are certainly farther from a center than a radius, with four
/// multiplications each.
///
/// It uses a flat Earth with slightly shortened degrees, so that nothing within the radius is
/// excluded. Candidates may be farther than the radius by 0.1 %, 2 mm, and the amount by which
/// parallels get shorter within the circle, tan φ × radius / 6 367 km (0.16 % at 45° for 10 km).
///
/// ```swift
/// let prefilter = RadiusPrefilter(NearbyDistance(center: here), radiusMeters: 500)
/// for await fix in receiver {
///   let (latitude, longitude) = (fix.coordinate.latitudeE7, fix.coordinate.longitudeE7)
///   let turned = prefilter.longitude(near: longitude)
///   let difference = prefilter.difference(
///     latitudeE7: latitude, longitudeE7: longitude, longitude: turned)
///   if prefilter.mayHold(difference) { print(here.distanceMeters(to: fix.coordinate)) }
/// }
/// ```
public struct RadiusPrefilter: Sendable {
  @usableFromInline let latitude: Double
  @usableFromInline let longitude: Double
  /// The factors from units of 1e-7 degree northward and eastward to radii.
  @usableFromInline let scale: SIMD2<Double>

  /// Creates a prefilter around the center of `near`.
  ///
  /// - Precondition: `near` reaches at least as far as `radiusMeters`, which is 0 or more.
  @inlinable
  public init(_ near: NearbyDistance, radiusMeters: Double) {
    // The squared chord is (M δ)² north and ρ₁ρ₂ × 4 sin²(Δλ / 2) east, where ρ is the distance
    // from the axis. M changes by 4e-5 within 0.2°; δ²/12 is 1e-6; ρ₂ is at least N times the
    // smallest cosine; 4 sin²(x / 2) ≥ x² (1 - x²/12), 8.4e-4 at 5.7°. Together that is less than a
    // thousandth of the square, so half as much of the scale. Two more millimeters keep the
    // prefilter from excluding what is decided to a millimeter.
    let inverse = 0.9995 / (radiusMeters + 0.002)
    latitude = near.latitude
    longitude = near.longitude
    let leastCosine = near.leastCosine(within: radiusMeters)
    let eastward =
      near.axisDistance * (leastCosine / near.cosLatitude).squareRoot() * Coordinate.radiansPerUnit
    scale = SIMD2(near.meridianMetersPerUnit, eastward) * inverse
  }

  /// The center's longitude in units of 1e-7 degree, shifted by a turn if that is nearer to the
  /// given longitude. For ``difference(latitudeE7:longitudeE7:longitude:)`` of many coordinates
  /// near that one.
  @inlinable
  public func longitude(near longitudeE7: Int32) -> Double {
    let difference = Double(longitudeE7) - longitude
    return difference > 1.8e9
      ? longitude + 3.6e9 : difference < -1.8e9 ? longitude - 3.6e9 : longitude
  }

  /// Half the width, in units of 1e-7 degree, of the area between two parallels that may be within
  /// the radius; nil if none may be.
  ///
  /// - Parameters:
  ///   - southE7: the southern parallel in units of 1e-7 degree.
  ///   - northE7: the northern parallel in units of 1e-7 degree.
  @inlinable
  public func halfWidth(southE7: Double, northE7: Double) -> Double? {
    let off = max(0, southE7 - latitude, latitude - northE7) * scale.x
    return off <= 1 ? (1 - off * off).squareRoot() / scale.y : nil
  }

  /// The difference of a coordinate from the center in units of 1e-7 degree, northward and
  /// eastward.
  ///
  /// - Parameters:
  ///   - latitudeE7: the coordinate's latitude in units of 1e-7 degree.
  ///   - longitudeE7: the coordinate's longitude in units of 1e-7 degree.
  ///   - longitude: ``longitude(near:)`` of that longitude or of one near it.
  @inlinable @inline(__always)
  public func difference(latitudeE7: Int32, longitudeE7: Int32, longitude: Double) -> SIMD2<Double>
  {
    SIMD2(Double(latitudeE7), Double(longitudeE7)) - SIMD2(latitude, longitude)
  }

  /// Returns true if a coordinate at a ``difference(latitudeE7:longitudeE7:longitude:)`` may lie
  /// within the radius; always true for coordinates that do.
  @inlinable @inline(__always)
  public func mayHold(_ difference: SIMD2<Double>) -> Bool {
    let scaled = difference * scale
    let squared = scaled * scaled
    return squared.x + squared.y <= 1
  }
}
