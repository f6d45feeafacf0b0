/// Tells coordinates that are surely farther from a center than a radius, by four multiplications
/// each.
///
/// On a flat Earth whose degrees are a little too short, so that nothing within the radius is left
/// out: what is held back for measuring may be farther by 0.1 %, 2 mm, and by what the parallels
/// shorten within the circle, tan φ × radius / 6 367 km (0.16 % at 45° for 10 km).
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
  /// Units of 1e-7 degree northward and eastward, in radii.
  @usableFromInline let scale: SIMD2<Double>

  /// A prefilter around the center of distances.
  ///
  /// - Precondition: `near` reaches as far as `radiusMeters`, which is 0 or more.
  @inlinable
  public init(_ near: NearbyDistance, radiusMeters: Double) {
    // The squared chord is (M δ)² north and ρ₁ρ₂ × 4 sin²(Δλ / 2) east, ρ the distances from the
    // axis. M changes by 4e-5 within 0.2°, δ²/12 is 1e-6; ρ₂ is at least N times the least cosine;
    // 4 sin²(x / 2) ≥ x² (1 - x²/12), 8.4e-4 at 5.7°. Together less than a thousandth of the
    // square: half as much of the scale. Two millimeters more keep the prefilter out of what is
    // decided to a millimeter.
    let inverse = 0.9995 / (radiusMeters + 0.002)
    latitude = near.latitude
    longitude = near.longitude
    let leastCosine = near.leastCosine(within: radiusMeters)
    let eastward =
      near.axisDistance * (leastCosine / near.cosLatitude).squareRoot() * Coordinate.radiansPerUnit
    scale = SIMD2(near.meridianMetersPerUnit, eastward) * inverse
  }

  /// The center's longitude in units of 1e-7 degree, plus or minus a turn, as it is nearest to
  /// another longitude. For ``difference(latitudeE7:longitudeE7:longitude:)`` of many coordinates
  /// near that one.
  @inlinable
  public func longitude(near longitudeE7: Int32) -> Double {
    let difference = Double(longitudeE7) - longitude
    return difference > 1.8e9
      ? longitude + 3.6e9 : difference < -1.8e9 ? longitude - 3.6e9 : longitude
  }

  /// Half the width, in units of 1e-7 degree, of what may be within the radius between two
  /// parallels; nil where nothing may.
  ///
  /// - Parameters:
  ///   - southE7: the southern parallel in units of 1e-7 degree.
  ///   - northE7: the northern parallel in units of 1e-7 degree.
  @inlinable
  public func halfWidth(southE7: Double, northE7: Double) -> Double? {
    let off = max(0, southE7 - latitude, latitude - northE7) * scale.x
    return off <= 1 ? (1 - off * off).squareRoot() / scale.y : nil
  }

  /// How far a coordinate is from the center in units of 1e-7 degree, northward and eastward.
  ///
  /// - Parameters:
  ///   - latitudeE7: its latitude in units of 1e-7 degree.
  ///   - longitudeE7: its longitude in units of 1e-7 degree.
  ///   - longitude: ``longitude(near:)`` of it or of one near it.
  @inlinable @inline(__always)
  public func difference(latitudeE7: Int32, longitudeE7: Int32, longitude: Double) -> SIMD2<Double>
  {
    SIMD2(Double(latitudeE7), Double(longitudeE7)) - SIMD2(latitude, longitude)
  }

  /// Whether a coordinate at a ``difference(latitudeE7:longitudeE7:longitude:)`` may lie within the
  /// radius; false for none that does.
  @inlinable @inline(__always)
  public func mayHold(_ difference: SIMD2<Double>) -> Bool {
    let scaled = difference * scale
    let squared = scaled * scaled
    return squared.x + squared.y <= 1
  }
}
