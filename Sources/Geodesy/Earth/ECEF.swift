#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A point on the ellipsoid in Earth-centered, Earth-fixed axes, in meters.
///
/// - Source: NGA.STND.0036_1.0.0_WGS84, section 4 (geodetic to Cartesian, height 0).
package struct ECEF: Sendable {
  /// Toward 0° N 0° E.
  package let x: Double
  /// Toward 0° N 90° E.
  package let y: Double
  /// Toward the north pole.
  package let z: Double

  /// The Cartesian position of a coordinate at height 0. A pole is one position at any longitude.
  package init(_ coordinate: Coordinate) {
    let sinLatitude = sin(coordinate.latitudeRadians)
    // The cosine of the double nearest to π/2 is 6e-17.
    let isPole = coordinate.latitudeE7.magnitude == 900_000_000
    let cosLatitude = isPole ? 0 : cos(coordinate.latitudeRadians)
    let n = Ellipsoid.primeVerticalRadiusMeters(sinLatitude: sinLatitude)
    x = n * cosLatitude * cos(coordinate.longitudeRadians)
    y = n * cosLatitude * sin(coordinate.longitudeRadians)
    z = n * (1 - Ellipsoid.eccentricitySquared) * sinLatitude
  }

  /// The straight-line distance through the Earth, in meters.
  @inlinable
  package func chordMeters(to other: ECEF) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return (dx * dx + dy * dy + dz * dz).squareRoot()
  }
}

/// A direction from the center of a unit sphere, for computing great circles.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(_ coordinate: Coordinate) {
    let cosLatitude = cos(coordinate.latitudeRadians)
    x = cosLatitude * cos(coordinate.longitudeRadians)
    y = cosLatitude * sin(coordinate.longitudeRadians)
    z = sin(coordinate.latitudeRadians)
  }

  static func - (l: UnitVector, r: UnitVector) -> UnitVector {
    UnitVector(x: l.x - r.x, y: l.y - r.y, z: l.z - r.z)
  }
  static func + (l: UnitVector, r: UnitVector) -> UnitVector {
    UnitVector(x: l.x + r.x, y: l.y + r.y, z: l.z + r.z)
  }
  static func * (l: UnitVector, r: Double) -> UnitVector {
    UnitVector(x: l.x * r, y: l.y * r, z: l.z * r)
  }

  func cross(_ o: UnitVector) -> UnitVector {
    UnitVector(x: y * o.z - z * o.y, y: z * o.x - x * o.z, z: x * o.y - y * o.x)
  }

  var normalized: UnitVector { self * (1 / (x * x + y * y + z * z).squareRoot()) }

  /// A unit vector perpendicular to this one: its cross product with the axis along which it is
  /// shortest.
  var anyPerpendicular: UnitVector {
    let axis =
      abs(x) <= abs(y) && abs(x) <= abs(z)
      ? UnitVector(x: 1, y: 0, z: 0)
      : abs(y) <= abs(z) ? UnitVector(x: 0, y: 1, z: 0) : UnitVector(x: 0, y: 0, z: 1)
    return cross(axis).normalized
  }

  /// The coordinate in this direction, rounded to 1e-7 degree.
  var coordinate: Coordinate {
    let latitude = asin(max(-1, min(1, z))) * 180 / .pi
    let longitude = atan2(y, x) * 180 / .pi
    return (try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)) ?? .northPole
  }
}

extension Coordinate {
  /// 90° N.
  static let northPole = Coordinate(uncheckedLatitudeE7: 900_000_000, longitudeE7: 0)
}
