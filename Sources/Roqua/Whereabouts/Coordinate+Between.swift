#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Geodesy

extension Coordinate {
  /// The position on the way to another one, the short way around.
  ///
  /// - Parameter share: the part of the way, 0...1.
  /// - Guarantee: on the great circle; up to 0.1° of latitude and of longitude, on the straight
  ///   line of the map, which is at most 1.3 m from the great circle (R Δλ² sin φ cos φ / 8).
  func position(toward other: Coordinate, share: Double) -> Coordinate {
    let turn = Self.unitsPerTurn
    var east = Int64(other.longitudeE7) - Int64(longitudeE7)
    if east > turn / 2 { east -= turn } else if east < -turn / 2 { east += turn }
    let north = Int64(other.latitudeE7) - Int64(latitudeE7)
    guard max(east.magnitude, north.magnitude) > Self.longestStraightE7 else {
      return Self(
        wrappingLatitudeE7: Double(latitudeE7) + Double(north) * share,
        longitudeE7: Double(longitudeE7) + Double(east) * share)
    }
    return greatCirclePosition(toward: other, share: share)
  }

  /// 0.1° in units of 1e-7 degree.
  private static let longestStraightE7: UInt64 = 1_000_000

  /// The position on the great circle: the two directions, weighted by the sines of the angles to
  /// the other one. Between antipodes, whose great circle is any, it is the nearer of the two.
  private func greatCirclePosition(toward other: Coordinate, share: Double) -> Coordinate {
    func direction(_ coordinate: Coordinate) -> (x: Double, y: Double, z: Double) {
      let cosLatitude = cos(coordinate.latitudeRadians)
      return (
        cosLatitude * cos(coordinate.longitudeRadians),
        cosLatitude * sin(coordinate.longitudeRadians), sin(coordinate.latitudeRadians)
      )
    }
    let (a, b) = (direction(self), direction(other))
    let cross = (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    let sine = (cross.0 * cross.0 + cross.1 * cross.1 + cross.2 * cross.2).squareRoot()
    let angle = atan2(sine, a.x * b.x + a.y * b.y + a.z * b.z)
    guard sine > 1e-9 else { return share <= 0.5 ? self : other }
    let (first, second) = (sin((1 - share) * angle) / sine, sin(share * angle) / sine)
    let (x, y, z) = (
      a.x * first + b.x * second, a.y * first + b.y * second, a.z * first + b.z * second
    )
    let unitsPerRadian = 1 / Self.radiansPerUnit
    return Self(
      wrappingLatitudeE7: atan2(z, (x * x + y * y).squareRoot()) * unitsPerRadian,
      longitudeE7: atan2(y, x) * unitsPerRadian)
  }

  /// The nearest position to values in units of 1e-7 degree, of which the longitude may be up to a
  /// turn out of range.
  private init(wrappingLatitudeE7 latitudeE7: Double, longitudeE7: Double) {
    var longitude = Int64(longitudeE7.rounded())
    if longitude >= Self.unitsPerTurn / 2 { longitude -= Self.unitsPerTurn }
    if longitude < -Self.unitsPerTurn / 2 { longitude += Self.unitsPerTurn }
    self.init(
      uncheckedLatitudeE7: Int32(max(-900_000_000, min(900_000_000, latitudeE7.rounded()))),
      longitudeE7: Int32(longitude))
  }
}
