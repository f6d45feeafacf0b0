#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A center with precomputed values, for comparing many coordinates with it.
///
/// Answers "is it nearer than r" exactly as ``Coordinate/distanceMeters(to:)`` would, nearly always
/// without a sine.
@usableFromInline
package struct LocalFrame: Sendable {
  /// The center.
  @usableFromInline package let center: Coordinate
  /// Meters per 1e-7 degree of latitude, along the meridian at the center.
  @usableFromInline let metersPerLatitudeUnit: Double
  /// Meters per 1e-7 degree of longitude, before multiplying by the cosine of the latitude.
  @usableFromInline let metersPerLongitudeUnit: Double
  @usableFromInline let sinLatitude: Double
  @usableFromInline let cosLatitude: Double
  /// True if the flat approximation is valid here: not within 10° of a pole.
  @usableFromInline let isFlat: Bool

  /// The largest difference, in units of 1e-7 degree, that the flat approximation is used for:
  /// 0.1°.
  @usableFromInline static let flatSpanUnits: Int64 = 1_000_000
  /// The relative error of the flat distance within ``flatSpanUnits`` and 80° of the equator
  /// (`LocalFrameTests` samples it; the largest omitted term is M's change over 0.1°, 2e-5).
  @usableFromInline static let flatTolerance = 1e-3

  /// Creates a frame around a center. Costs one sine and one cosine.
  @inlinable
  package init(center: Coordinate) {
    self.center = center
    sinLatitude = sin(center.latitudeRadians)
    cosLatitude = cos(center.latitudeRadians)
    metersPerLatitudeUnit =
      Ellipsoid.meridianRadiusMeters(sinLatitude: sinLatitude) * Coordinate.radiansPerUnit
    metersPerLongitudeUnit =
      Ellipsoid.primeVerticalRadiusMeters(sinLatitude: sinLatitude) * Coordinate.radiansPerUnit
    isFlat = abs(center.latitudeE7) <= 800_000_000
  }

  /// Returns true if `other` is nearer than `radiusMeters` (strictly).
  ///
  /// - Guarantee: the same answer as `center.distanceMeters(to: other) < radiusMeters`.
  /// - Complexity: O(1); a dozen multiplications unless the distance is within 0.1 % of the radius.
  @inlinable
  package func isNearer(than radiusMeters: Double, to other: Coordinate) -> Bool {
    let latitudeUnits = Int64(other.latitudeE7) - Int64(center.latitudeE7)
    var longitudeUnits = Int64(other.longitudeE7) - Int64(center.longitudeE7)
    if longitudeUnits > 1_800_000_000 { longitudeUnits -= Coordinate.unitsPerTurn }
    if longitudeUnits < -1_800_000_000 { longitudeUnits += Coordinate.unitsPerTurn }
    if isFlat, abs(latitudeUnits) <= Self.flatSpanUnits, abs(longitudeUnits) <= Self.flatSpanUnits {
      let squared = flatSquaredMeters(latitudeUnits: latitudeUnits, longitudeUnits: longitudeUnits)
      let low = radiusMeters * (1 - Self.flatTolerance)
      let high = radiusMeters * (1 + Self.flatTolerance)
      if squared < low * low { return radiusMeters > 0 }
      if squared > high * high { return false }
    }
    return center.distanceMeters(to: other) < radiusMeters
  }

  /// The range in meters that contains the distance of `other`, computed without a sine; nil if the
  /// flat approximation is not valid: farther than 0.1° away, across ±180°, or within 10° of a
  /// pole.
  ///
  /// - Guarantee: never too narrow. A millimeter is added for the error of the distance itself.
  package func distanceBounds(to other: Coordinate) -> ClosedRange<Double>? {
    let latitudeUnits = Int64(other.latitudeE7) - Int64(center.latitudeE7)
    let longitudeUnits = Int64(other.longitudeE7) - Int64(center.longitudeE7)
    guard isFlat, abs(latitudeUnits) <= Self.flatSpanUnits,
      abs(longitudeUnits) <= Self.flatSpanUnits
    else {
      return nil
    }
    let meters = flatSquaredMeters(latitudeUnits: latitudeUnits, longitudeUnits: longitudeUnits)
      .squareRoot()
    return (meters * (1 - Self.flatTolerance) - 0.001)...(meters * (1 + Self.flatTolerance) + 0.001)
  }

  /// Half the height and half the width, in units of 1e-7 degree, of a box around a circle,
  /// enlarged by 2 %; nil if the circle is larger than 10 km, near a pole or across ±180°.
  func flatSpans(radiusMeters: Double) -> (latitude: Int32, longitude: Int32)? {
    guard isFlat, radiusMeters >= 0, radiusMeters <= 10_000 else { return nil }
    let latitude = radiusMeters * 1.02 / metersPerLatitudeUnit + 1
    let longitude = radiusMeters * 1.02 / (metersPerLongitudeUnit * cosLatitude) + 1
    guard abs(Double(center.longitudeE7)) + longitude < 1_799_999_999 else { return nil }
    return (Int32(latitude), Int32(longitude))
  }

  /// The squared distance on a plane that touches the Earth halfway: M·Δφ north, N·cos φ_mid·Δλ
  /// east.
  @inlinable
  func flatSquaredMeters(latitudeUnits: Int64, longitudeUnits: Int64) -> Double {
    let north = metersPerLatitudeUnit * Double(latitudeUnits)
    let cosMiddle =
      cosLatitude - sinLatitude * (Double(latitudeUnits) * Coordinate.radiansPerUnit / 2)
    let east = metersPerLongitudeUnit * cosMiddle * Double(longitudeUnits)
    return north * north + east * east
  }
}
