/// An error about numbers that are not a position on the Earth.
///
/// ```swift
/// do {
///   print(try Coordinate(latitudeDegrees: 128.97, longitudeDegrees: 41.01))
/// } catch CoordinateError.latitudeOutOfRange(let degrees) {
///   print("\(degrees)° is not a latitude: are the numbers swapped?")
/// }
/// ```
public enum CoordinateError: Error, Equatable, Sendable {
  /// A number was NaN or infinite.
  case notFinite
  /// The latitude lies beyond ±90 degrees.
  case latitudeOutOfRange(degrees: Double)
}

/// A WGS 84 position in 8 bytes: two integers in units of 1e-7 degree ("E7").
///
/// ```swift
/// let office = try Coordinate(latitudeDegrees: 41.0256, longitudeDegrees: 28.9742)
/// print(office, office.distanceMeters(to: here))
/// ```
///
/// - Resolution: a unit is at most 1.12 cm on the ground (111 195 m a degree × 1e-7); rounding
///   moves a point by less than 0.8 cm (half a unit on each axis).
/// - Range: latitude -90...90 degrees; longitude -180..<180 degrees (180 is stored as -180).
public struct Coordinate: Hashable, Sendable {
  /// Latitude in units of 1e-7 degree, north positive, -900 000 000...900 000 000.
  public let latitudeE7: Int32
  /// Longitude in units of 1e-7 degree, east positive, -1 800 000 000..<1 800 000 000.
  public let longitudeE7: Int32

  /// A full turn of longitude in units of 1e-7 degree.
  @inlinable package static var unitsPerTurn: Int64 { 3_600_000_000 }
  /// Radians of a unit of 1e-7 degree.
  @inlinable package static var radiansPerUnit: Double { Double.pi / 180 * 1e-7 }

  /// Creates the position nearest to these degrees.
  ///
  /// Longitude wraps. Latitude does not, so that swapped axes are detected early.
  ///
  /// - Throws: ``CoordinateError`` for NaN or infinity, or a latitude beyond ±90 degrees.
  @inlinable
  public init(latitudeDegrees: Double, longitudeDegrees: Double) throws(CoordinateError) {
    guard latitudeDegrees.isFinite, longitudeDegrees.isFinite else { throw .notFinite }
    guard abs(latitudeDegrees) <= 90 else { throw .latitudeOutOfRange(degrees: latitudeDegrees) }
    let wrapped = Int32((longitudeDegrees.remainder(dividingBy: 360) * 1e7).rounded())
    latitudeE7 = Int32((latitudeDegrees * 1e7).rounded())
    longitudeE7 = wrapped == 1_800_000_000 ? -1_800_000_000 : wrapped
  }

  /// Creates a position from integers; nil if one of them is out of range. A longitude of exactly
  /// 1 800 000 000 is treated as -1 800 000 000.
  @inlinable
  public init?(latitudeE7: Int32, longitudeE7: Int32) {
    guard (-900_000_000...900_000_000).contains(latitudeE7),
      (-1_800_000_000...1_800_000_000).contains(longitudeE7)
    else { return nil }
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7 == 1_800_000_000 ? -1_800_000_000 : longitudeE7
  }

  /// Creates a position from constants or computed values that are known to be in range.
  @inlinable
  package init(uncheckedLatitudeE7: Int32, longitudeE7: Int32) {
    self.latitudeE7 = uncheckedLatitudeE7
    self.longitudeE7 = longitudeE7
  }

  /// Latitude in degrees, -90...90.
  @inlinable public var latitudeDegrees: Double { Double(latitudeE7) / 1e7 }
  /// Longitude in degrees, -180..<180.
  @inlinable public var longitudeDegrees: Double { Double(longitudeE7) / 1e7 }
  /// Latitude in radians, -π/2...π/2.
  @inlinable package var latitudeRadians: Double { latitudeDegrees * (.pi / 180) }
  /// Longitude in radians, -π..<π.
  @inlinable package var longitudeRadians: Double { longitudeDegrees * (.pi / 180) }

  /// True if this is exactly 0° N 0° E, which receivers write when they have no position ("null
  /// island").
  @inlinable package var isNullIsland: Bool { latitudeE7 == 0 && longitudeE7 == 0 }
}

extension Coordinate: CustomStringConvertible {
  /// The latitude and longitude in degrees, as in `41.0082,28.9784`: the fewest digits that read
  /// back as the same numbers.
  public var description: String { "\(latitudeDegrees),\(longitudeDegrees)" }
}
