#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Distances from one center to coordinates near it, for searches that measure hundreds of them.
///
/// The chord between two points of the ellipsoid depends on three differences: those of their
/// distances from the axis (ρ), of their heights above the equatorial plane (z), and of their
/// longitudes:
///
///     c² = (ρ₂ - ρ₁)² + (z₂ - z₁)² + 4 ρ₁ ρ₂ sin²(Δλ / 2)
///
/// ρ and z are functions of the latitude alone: ρ' = -M sin φ and z' = M cos φ, where M is the
/// meridian's radius of curvature. The first two terms are the squared chord of the meridian, which
/// is δ² times a series of δ; ρ₁ ρ₂ is another. Both are Taylor series around the center,
/// multiplied out beforehand. So a distance takes fourteen multiplications and a square root, but
/// neither a sine nor a cosine. The chord is converted to an arc as in
/// ``Coordinate/distanceMeters(to:)``.
///
/// - Guarantee: within reach (``reaches(_:)``) the distance is that of
///   ``Coordinate/distanceMeters(to:)`` to 0.1 mm. The meridian's squared chord omits less than
///   e² δ³ of itself, 2 µm at 20 km, and δ⁴ / 360, far less. ρ₂ omits δ⁴ / 24 of itself, 6e-12 at
///   0.2°. Using the radius of the arc at the center instead of halfway is 2 µm. sin² omits
///   Δλ⁸ / 80 640, which at 0.1 rad is under 1e-10 of it.
@usableFromInline
package struct NearbyDistance: Sendable {
  /// The center.
  @usableFromInline package let center: Coordinate
  /// The largest difference of latitude, in units of 1e-7 degree: 0.2°, 22 km.
  package static let latitudeReachE7: Int64 = 2_000_000
  /// The largest difference of longitude, in units of 1e-7 degree: 5.7°, 0.1 rad.
  @usableFromInline package static let longitudeReachE7: Int64 = 57_000_000

  @usableFromInline package let latitude: Double
  @usableFromInline package let longitude: Double
  /// The center's distance from the axis in meters, ρ₁.
  @usableFromInline package let axisDistance: Double
  /// The squared chord along the meridian is d² (a + b d + c d²), where d is the difference of
  /// latitude in units of 1e-7 degree.
  @usableFromInline let meridianSeries: (Double, Double, Double)
  /// ρ₁ ρ₂ as a series of d, times the square of 1e-7 degree in radians.
  @usableFromInline let parallelSeries: (Double, Double, Double, Double)
  /// 1 / 24MN, the factor that converts a chord to an arc.
  @usableFromInline let bend: Double
  /// Meters per 1e-7 degree of latitude at the center.
  @usableFromInline package let meridianMetersPerUnit: Double

  /// Sine and cosine of the center's latitude.
  @usableFromInline let sinLatitude: Double
  @usableFromInline package let cosLatitude: Double

  /// Where x is in units of 1e-7 degree, 4 sin²(x / 2) = x² - x⁴/12 + x⁶/360 - … is
  /// x² (1 - x² (a - x² b)) times the square of the unit in radians.
  @inlinable
  static var turnSeries: (Double, Double) {
    let u2 = Coordinate.radiansPerUnit * Coordinate.radiansPerUnit
    return (u2 / 12, u2 * u2 / 360)
  }

  /// Prepares for a center. Costs one sine and one cosine.
  @inlinable
  package init(center: Coordinate) { self.init(frame: LocalFrame(center: center)) }

  /// Prepares for a frame's center. Costs neither a sine nor a cosine.
  @inlinable
  package init(frame: LocalFrame) {
    center = frame.center
    let (s, c) = (frame.sinLatitude, frame.cosLatitude)
    let e2 = Ellipsoid.eccentricitySquared
    let inverse = 1 / (1 - e2 * s * s)
    let n = frame.metersPerLongitudeUnit * (1 / Coordinate.radiansPerUnit)
    // M and its first two derivatives by the latitude.
    let m0 = frame.metersPerLatitudeUnit * (1 / Coordinate.radiansPerUnit)
    let m1 = 3 * e2 * s * c * m0 * inverse
    let m2 = 3 * e2 * m0 * inverse * (c * c - s * s + 5 * e2 * s * s * c * c * inverse)
    // The arc of the meridian is δ (M + M' δ/2 + M'' δ²/6), and its squared chord is less than the
    // square of it by the arc's bend, M² δ⁴/12.
    let u = Coordinate.radiansPerUnit
    let u2 = u * u
    meridianSeries = (
      m0 * m0 * u2, m0 * m1 * (u2 * u), (m0 * m2 / 3 + m1 * m1 / 4 - m0 * m0 / 12) * (u2 * u2)
    )
    // ρ₂ = ρ₁ - M s δ - (M' s + M c) δ²/2 - (M'' s + 2 M' c - M s) δ³/6
    let rho = n * c * u2
    parallelSeries = (
      rho * (n * c), rho * -m0 * s * u, rho * (m1 * s + m0 * c) * (-0.5 * u2),
      rho * (m2 * s + 2 * m1 * c - m0 * s) * (u2 * u / -6)
    )
    axisDistance = n * c
    meridianMetersPerUnit = frame.metersPerLatitudeUnit
    bend = 1 / (24 * m0 * n)
    latitude = Double(center.latitudeE7)
    longitude = Double(center.longitudeE7)
    (sinLatitude, cosLatitude) = (s, c)
  }

  /// Returns true if everything within `radiusMeters` of the center is within reach of the series:
  /// up to 20 km, and not so near a pole that the circle spans more than 5.7° to either side.
  @inlinable
  package func reaches(_ radiusMeters: Double) -> Bool {
    // 2 % allows for the shortest degree within the circle and for rounding.
    guard radiusMeters <= 20_000 else { return false }
    let parallel = Ellipsoid.semiMajorAxisMeters * leastCosine(within: radiusMeters)
    return radiusMeters * 1.02 < parallel * Double(Self.longitudeReachE7)
      * Coordinate.radiansPerUnit
  }

  /// Returns true if a coordinate is within reach of the series; false too on the other side of
  /// ±180°.
  package func covers(_ other: Coordinate) -> Bool {
    abs(Int64(other.latitudeE7) - Int64(center.latitudeE7)) <= Self.latitudeReachE7
      && abs(Int64(other.longitudeE7) - Int64(center.longitudeE7)) <= Self.longitudeReachE7
  }

  /// A lower bound of the cosine of any latitude within `radiusMeters` of the center; 0 or less if
  /// the circle may contain a pole.
  ///
  /// - Precondition: the radius is at least 0 and at most 20 km.
  @inlinable
  package func leastCosine(within radiusMeters: Double) -> Double {
    // cos(φ + δ) = cos φ cos δ - sin φ sin δ, with cos δ ≥ 1 - δ² / 2 and sin δ ≤ δ. The smallest
    // radius of curvature, along the meridian at the equator, makes the largest angle.
    let angle = radiusMeters * (1 / 6_335_439.0)
    return cosLatitude * (1 - angle * angle / 2) - abs(sinLatitude) * angle
  }

  /// The squared chord in square meters to a position in units of 1e-7 degree. The center and the
  /// position may lie on either side of ±180°.
  ///
  /// - Precondition: the position is within reach; otherwise the result is meaningless.
  @inlinable
  package func squaredChord(latitudeE7: Int32, longitudeE7: Int32) -> Double {
    var units = Double(longitudeE7) - longitude
    if units > 1.8e9 { units -= 3.6e9 } else if units < -1.8e9 { units += 3.6e9 }
    return squaredChords(
      latitudes: SIMD2(repeating: Double(latitudeE7) - latitude),
      longitudes: SIMD2(repeating: units)
    ).x
  }

  /// The squared chords to two positions at once, given their differences from the center in units
  /// of 1e-7 degree.
  ///
  /// - Precondition: both are within reach, and the differences of longitude are the shorter way
  ///   around.
  @inlinable @inline(__always)
  package func squaredChords(
    latitudes: SIMD2<Double>, longitudes: SIMD2<Double>
  ) -> SIMD2<Double> {
    let (d, x2) = (latitudes, longitudes * longitudes)
    let (m, p) = (meridianSeries, parallelSeries)
    let t = Self.turnSeries
    let turn = x2 * (1 - x2 * (t.0 - x2 * t.1))
    let meridian = d * d * (m.0 + d * (m.1 + d * m.2))
    let parallel: SIMD2<Double> = p.0 + d * (p.1 + d * (p.2 + d * p.3))
    return meridian + parallel * turn
  }

  /// The distances in meters for two squared chords.
  @inlinable @inline(__always)
  package func meters(squaredChords: SIMD2<Double>) -> SIMD2<Double> {
    squaredChords.squareRoot() * (1 + squaredChords * bend)
  }

  /// The distance in meters for a squared chord.
  @inlinable
  package func meters(squaredChord: Double) -> Double {
    meters(squaredChords: SIMD2(repeating: squaredChord)).x
  }

  /// The squared chord for a distance in meters, 0 or more: slightly less than its square.
  @inlinable
  package func squaredChord(meters: Double) -> Double {
    // s = c + k c³, so c = s - k s³ + 3 k² s⁵ …; the last term is 1e-12 of it at 20 km.
    let chord = meters * (1 - bend * meters * meters)
    return chord * chord
  }
}
