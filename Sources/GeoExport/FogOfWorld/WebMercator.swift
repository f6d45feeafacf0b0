import Foundation
import Geodesy

/// The square map of the world in spherical Mercator (EPSG:3857).
enum WebMercator {
  /// The position at a place on the map, each 0...1 from its northwestern corner.
  static func coordinate(x: Double, y: Double) -> Coordinate {
    let latitude = atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
    // Sound: both are in range, since x and y are.
    return Coordinate(
      uncheckedLatitudeE7: Int32((latitude * 1e7).rounded()),
      longitudeE7: Int32(((x * 360 - 180) * 1e7).rounded()))
  }

  /// How far south of the northern edge of the map a latitude in degrees lies, as a share of its
  /// height; beyond 85.05° less than 0 or more than 1.
  static func y(latitudeDegrees latitude: Double) -> Double {
    guard abs(latitude) < 89.9 else { return latitude > 0 ? -1 : 2 }
    return (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2
  }
}
