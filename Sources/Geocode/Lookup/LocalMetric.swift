#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Geodesy

/// An approximate distance between two nearby points, accurate enough to choose among places. It
/// uses the ellipsoid's radii of curvature near the query, with the parallel's radius at the
/// latitude halfway between the points.
///
/// The radii are those in the middle of the query's band of 0.01° of latitude, so that they can be
/// reused along a track. From there to the halfway point, the parallel's length is extrapolated
/// linearly.
///
/// - Guarantee: within 0.01 % up to 50 km between 75° S and 75° N.
struct LocalMetric {
  /// Meters in 1e-5 degree of latitude.
  let north: Double
  /// Meters in 1e-5 degree of longitude, and the change per 1e-5 degree of latitude to the halfway
  /// point.
  let east: Double
  let eastSlope: Double

  @inline(__always)
  init(latitudeE7: Int32) {
    self.init(latitudeE7: latitudeE7, in: LatitudeBand(holding: latitudeE7))
  }

  /// Creates the metric of a latitude in its band.
  @inline(__always)
  init(latitudeE7: Int32, in band: LatitudeBand) {
    north = band.north
    eastSlope = band.eastSlope
    // The halfway point moves by half as much as the query, so the query's own offset counts twice.
    east = band.east + 2 * band.eastSlope * Double(latitudeE7 - band.middleE7) / 100
  }

  /// The square of the distance in meters for these differences in units of 1e-5 degree.
  @inline(__always)
  func squared(dx: Double, dy: Double) -> Double {
    let up = dy * north
    let across = dx * (east + eastSlope * dy)
    return up * up + across * across
  }
}

/// The ellipsoid's radii of curvature in the middle of a band of 0.01° of latitude.
struct LatitudeBand {
  static let heightE7: Int32 = 100_000

  let middleE7: Int32
  fileprivate let north: Double
  fileprivate let east: Double
  fileprivate let eastSlope: Double

  /// Creates the band of a latitude. The North Pole belongs to the band south of it.
  init(holding latitudeE7: Int32) {
    let quotient = latitudeE7 / Self.heightE7
    let floor = latitudeE7 < 0 && quotient * Self.heightE7 != latitudeE7 ? quotient - 1 : quotient
    middleE7 = min(floor, 8999) * Self.heightE7 + Self.heightE7 / 2
    let unit = Double.pi / 180 * 1e-5
    let radians = Double(middleE7) * 1e-7 * .pi / 180
    let sine = sin(radians)
    // Accurate to 1e-8 even in the band next to a pole, and faster than the cosine.
    let cosine = (1 - sine * sine).squareRoot()
    let w = 1 - Ellipsoid.eccentricitySquared * sine * sine
    let primeVertical = Ellipsoid.semiMajorAxisMeters / w.squareRoot()
    let meridian = primeVertical * (1 - Ellipsoid.eccentricitySquared) / w
    north = meridian * unit
    east = primeVertical * cosine * unit
    eastSlope = -meridian * sine * unit * unit / 2  // d(N cos φ)/dφ = -M sin φ
  }
}
