import Foundation
import Geodesy

/// How far apart two nearby points are, good enough to choose among places: the ellipsoid's radii of curvature at
/// the query, the parallel's taken at the latitude half way between.
///
/// - Guarantee: within 0.01 % up to 50 km between 75° S and 75° N.
struct LocalMetric {
  /// Metres in 1e-5 degree of latitude.
  let north: Double
  /// Metres in 1e-5 degree of longitude, and how that changes for 1e-5 degree of latitude to the half-way point.
  let east: Double
  let eastSlope: Double

  init(latitudeRadians: Double) {
    let unit = Double.pi / 180 * 1e-5
    let sine = sin(latitudeRadians)
    let cosine = cos(latitudeRadians)
    let w = 1 - Ellipsoid.eccentricitySquared * sine * sine
    let primeVertical = Ellipsoid.semiMajorAxisMeters / w.squareRoot()
    let meridian = primeVertical * (1 - Ellipsoid.eccentricitySquared) / w
    north = meridian * unit
    east = primeVertical * cosine * unit
    eastSlope = -meridian * sine * unit * unit / 2  // d(N cos φ)/dφ = -M sin φ
  }

  /// Square of the distance in metres for these differences in units of 1e-5 degree.
  @inline(__always)
  func squared(dx: Double, dy: Double) -> Double {
    let up = dy * north
    let across = dx * (east + eastSlope * dy)
    return up * up + across * across
  }
}
