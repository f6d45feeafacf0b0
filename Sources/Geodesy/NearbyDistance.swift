#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Distances from one centre to coordinates around it, for searches that measure hundreds of them.
///
/// The chord between two points of the ellipsoid depends on three differences: how far they are from the axis (ρ), how
/// high above the equator (z), and their longitude:
///
///     c² = (ρ₂ - ρ₁)² + (z₂ - z₁)² + 4 ρ₁ ρ₂ sin²(Δλ / 2)
///
/// ρ and z are functions of the latitude alone, here their Taylor series around the centre, to δ⁴:
/// ρ' = -M sin φ and z' = M cos φ, with M the meridian's radius of curvature. So a distance takes thirty
/// multiplications and a square root, and neither a sine nor a cosine. The chord is bent to an arc as
/// ``Coordinate/distanceMeters(to:)`` does.
///
/// - Guarantee: within ``reach`` the distance is that of ``Coordinate/distanceMeters(to:)`` to 0.1 mm. The first
///   term left out is M δ⁵ / 120: at 0.2° that is 0.03 µm; leaving M''' out of the fourth is 2 µm; the radius of the arc
///   taken at the centre instead of halfway 2 µm. sin² leaves out Δλ⁸ / 80 640: at 0.1 rad under 1e-10 of it.
public struct NearbyDistance: Sendable {
  /// The centre.
  public let center: Coordinate
  /// Largest difference of latitude, in units of 1e-7 degree: 0.2°, 22 km.
  public static let latitudeReachE7: Int64 = 2_000_000
  /// Largest difference of longitude, in units of 1e-7 degree: 5.7°, 0.1 rad.
  public static let longitudeReachE7: Int64 = 57_000_000

  @usableFromInline let latitude: Double
  @usableFromInline let longitude: Double
  @usableFromInline let axisDistance: Double
  @usableFromInline let axisSeries: (Double, Double, Double, Double)
  @usableFromInline let heightSeries: (Double, Double, Double, Double)
  /// 1 / 24MN: what bends a chord to an arc.
  @usableFromInline let bend: Double
  @usableFromInline static let radiansPerUnit = Double.pi / 180 * 1e-7

  /// Prepares for a centre. Costs a sine and a cosine.
  @inlinable
  public init(center: Coordinate) {
    self.center = center
    let s = sin(center.latitudeRadians)
    let c = cos(center.latitudeRadians)
    let e2 = Ellipsoid.eccentricitySquared
    let w2 = 1 - e2 * s * s
    let n = Ellipsoid.primeVerticalRadiusMeters(sinLatitude: s)
    // M and its first two derivatives by the latitude.
    let m0 = Ellipsoid.meridianRadiusMeters(sinLatitude: s)
    let m1 = 3 * e2 * s * c * m0 / w2
    let m2 = 3 * e2 * m0 / w2 * (c * c - s * s + 5 * e2 * s * s * c * c / w2)
    axisSeries = (-m0 * s, (-m1 * s - m0 * c) / 2, (-m2 * s - 2 * m1 * c + m0 * s) / 6, m0 * c / 24)
    heightSeries = (m0 * c, (m1 * c - m0 * s) / 2, (m2 * c - 2 * m1 * s - m0 * c) / 6, m0 * s / 24)
    axisDistance = n * c
    bend = 1 / (24 * m0 * n)
    latitude = Double(center.latitudeE7)
    longitude = Double(center.longitudeE7)
  }

  /// Whether all within `radiusMeters` of the centre lies within reach of the series: up to 20 km, and not so near a
  /// pole that the circle spans more than 5.7° to either side.
  public func reaches(_ radiusMeters: Double) -> Bool {
    // 2 % for the shortest degree within the circle and for rounding; 110 574 m is the shortest degree of latitude.
    guard radiusMeters <= 20_000 else { return false }
    let nearestToPole = min(90, abs(center.latitudeDegrees) + radiusMeters / 110_574)
    let parallel = Ellipsoid.semiMajorAxisMeters * cos(nearestToPole * .pi / 180)
    return radiusMeters * 1.02 < parallel * Double(Self.longitudeReachE7) * Self.radiansPerUnit
  }

  /// Squared chord in square metres to a position in units of 1e-7 degree. Both may lie on either side of ±180°.
  ///
  /// - Precondition: within reach, else the result means nothing.
  @inlinable
  public func squaredChord(latitudeE7: Int32, longitudeE7: Int32) -> Double {
    let d = (Double(latitudeE7) - latitude) * Self.radiansPerUnit
    var units = Double(longitudeE7) - longitude
    if units > 1.8e9 { units -= 3.6e9 } else if units < -1.8e9 { units += 3.6e9 }
    let x = units * Self.radiansPerUnit
    let axis = d * (axisSeries.0 + d * (axisSeries.1 + d * (axisSeries.2 + d * axisSeries.3)))
    let height = d * (heightSeries.0 + d * (heightSeries.1 + d * (heightSeries.2 + d * heightSeries.3)))
    let x2 = x * x
    // 4 sin²(x / 2) = x² - x⁴/12 + x⁶/360 - …
    let turn = x2 * (1 - x2 * (1 / 12.0 - x2 / 360))
    return axis * axis + height * height + axisDistance * (axisDistance + axis) * turn
  }

  /// The distance in metres over a squared chord.
  @inlinable
  public func meters(squaredChord: Double) -> Double {
    squaredChord.squareRoot() * (1 + squaredChord * bend)
  }

  /// The squared chord under a distance in metres, 0 or more: a little less than its square.
  @inlinable
  public func squaredChord(meters: Double) -> Double {
    // s = c + k c³, so c = s - k s³ + 3 k² s⁵ …; the last one is 1e-12 of it at 20 km.
    let chord = meters * (1 - bend * meters * meters)
    return chord * chord
  }
}
