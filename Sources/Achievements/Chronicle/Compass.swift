import Geodesy

/// The extremes of a set of positions, in units of 1e-7 degree.
struct Compass: Hashable, Sendable {
  var north: Int32
  var south: Int32
  var east: Int32
  var west: Int32
  /// The smallest distance from the equator.
  var equator: Int32
  /// The hemispheres: bits 0 to 3 for the northern, southern, eastern and western one.
  var hemispheres: UInt8
  /// The bands of 15°, from 180° W.
  var bands: UInt32

  /// The extremes of one position.
  init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitudeE7, coordinate.longitudeE7)
    (north, south, east, west) = (latitude, latitude, longitude, longitude)
    equator = abs(latitude)
    hemispheres = Self.hemispheres(of: coordinate)
    bands = Self.band(of: longitude)
  }

  /// Adds a position; returns whether anything changed.
  mutating func take(_ coordinate: Coordinate) -> Bool {
    let before = self
    let other = Compass(coordinate)
    north = max(north, other.north)
    south = min(south, other.south)
    east = max(east, other.east)
    west = min(west, other.west)
    equator = min(equator, other.equator)
    hemispheres |= other.hemispheres
    bands |= other.bands
    return self != before
  }

  private static func hemispheres(of coordinate: Coordinate) -> UInt8 {
    let (latitude, longitude) = (coordinate.latitudeE7, coordinate.longitudeE7)
    return (latitude > 0 ? 1 : 0) | (latitude < 0 ? 2 : 0) | (longitude > 0 ? 4 : 0)
      | (longitude < 0 ? 8 : 0)
  }

  private static func band(of longitudeE7: Int32) -> UInt32 {
    1 << min(23, UInt32((Int(longitudeE7) + 1_800_000_000) / 150_000_000))
  }
}
