#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An error about four numbers that are not a bounding box.
///
/// ```swift
/// do {
///   print(try BoundingBox(south: 42, west: 28, north: 41, east: 30).contains(here))
/// } catch BoundingBoxError.southAboveNorth {
///   print("The southern edge lies north of the northern one.")
/// }
/// ```
public enum BoundingBoxError: Error, Equatable, Sendable {
  /// A number is not finite, or is a latitude beyond ±90° or a longitude beyond ±180°.
  case outOfRange
  /// The southern edge is north of the northern one.
  case southAboveNorth
}

/// A box between two parallels and two meridians, edges included. It may cross ±180°.
///
/// If west is greater than east, the box extends from the western edge eastward across ±180°.
///
/// ```swift
/// let fiji = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
/// print(fiji.contains(here), try await explorer.regions(in: fiji).count)
/// ```
public struct BoundingBox: Hashable, Sendable {
  /// Southern edge in units of 1e-7 degree.
  package let southE7: Int32
  /// Western edge in units of 1e-7 degree, -1 800 000 000...1 800 000 000.
  @usableFromInline package let westE7: Int32
  /// Northern edge in units of 1e-7 degree.
  package let northE7: Int32
  /// Eastern edge in units of 1e-7 degree, -1 800 000 000...1 800 000 000; less than `westE7` if
  /// the box crosses ±180°.
  @usableFromInline package let eastE7: Int32

  init(southE7: Int32, westE7: Int32, northE7: Int32, eastE7: Int32) {
    self.southE7 = southE7
    self.westE7 = westE7
    self.northE7 = northE7
    self.eastE7 = eastE7
  }

  /// Creates the box with these edges in degrees, rounded to 1e-7.
  ///
  /// - Throws: ``BoundingBoxError`` if a number is out of range, or south is greater than north.
  public init(south: Double, west: Double, north: Double, east: Double) throws(BoundingBoxError) {
    guard abs(south) <= 90, abs(north) <= 90, abs(west) <= 180, abs(east) <= 180 else {
      throw .outOfRange  // NaN compares false, so it ends here too
    }
    guard south <= north else { throw .southAboveNorth }
    self.init(
      southE7: Int32((south * 1e7).rounded()), westE7: Int32((west * 1e7).rounded()),
      northE7: Int32((north * 1e7).rounded()), eastE7: Int32((east * 1e7).rounded()))
  }

  /// The whole Earth.
  public static let world = BoundingBox(
    southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)

  /// Creates a box that contains every coordinate within `radiusMeters` of `center`.
  ///
  /// - Guarantee: never too small. It is computed on the sphere of the smallest radius of curvature
  ///   (6 335 439 m, along the meridian at the equator) and enlarged by 1 %, which makes it too
  ///   large by less than 2.1 %. Around a pole it includes all longitudes.
  public init(around center: Coordinate, radiusMeters: Double) {
    let angle = max(0, radiusMeters) * 1.01 / Ellipsoid.meridianRadiusMeters(sinLatitude: 0)
    let degrees = angle * 180 / .pi
    let (south, north) = (center.latitudeDegrees - degrees, center.latitudeDegrees + degrees)
    guard south > -90, north < 90, angle < .pi / 2, sin(angle) < cos(center.latitudeRadians) else {
      self.init(
        southE7: Int32(max(-90, south) * 1e7), westE7: -1_800_000_000,
        northE7: Int32(min(90, north) * 1e7), eastE7: 1_800_000_000)
      return
    }
    // The longitude where the meridian touches the circle on the sphere: sin Δλ = sin δ / cos φ.
    let span = asin(sin(angle) / cos(center.latitudeRadians)) * 180 / .pi
    let spanE7 = Int64((span * 1e7).rounded(.up)) + 1
    let west = Int64(center.longitudeE7) - spanE7
    let east = Int64(center.longitudeE7) + spanE7
    self.init(
      southE7: Int32((south * 1e7).rounded(.down)),
      westE7: Int32(west < -1_800_000_000 ? west + Coordinate.unitsPerTurn : west),
      northE7: Int32((north * 1e7).rounded(.up)),
      eastE7: Int32(east > 1_800_000_000 ? east - Coordinate.unitsPerTurn : east))
  }

  /// Creates the same box around a frame's center; up to 10 km without a sine, an arcsine or a
  /// cosine.
  ///
  /// - Guarantee: never too small. The flat approximation is enlarged by 2 %. Within 10 km and 80°
  ///   of the equator, the length of a degree changes by less than that: by at most 0.9 % in the
  ///   cosine, tan 80° × 10 km ÷ 6 367 km.
  package init(around frame: LocalFrame, radiusMeters: Double) {
    guard let (latitude, longitude) = frame.flatSpans(radiusMeters: radiusMeters) else {
      self.init(around: frame.center, radiusMeters: radiusMeters)
      return
    }
    let center = frame.center
    let (west, east) = (center.longitudeE7 - longitude, center.longitudeE7 + longitude)
    self.init(
      southE7: center.latitudeE7 - latitude, westE7: west, northE7: center.latitudeE7 + latitude,
      eastE7: east
    )
  }

  /// True if the box crosses ±180°.
  @inlinable package var crossesAntimeridian: Bool { westE7 > eastE7 }

  /// The longitudes of the box in units of 1e-7 degree, as one or two ranges that do not cross
  /// ±180°, from west to east.
  @inlinable package var longitudeRangesE7: [ClosedRange<Int32>] {
    if crossesAntimeridian {
      return [westE7...1_800_000_000, -1_800_000_000...eastE7]
    }
    // 180° E is stored as 180° W, so a box that ends there contains that meridian too.
    if eastE7 == 1_800_000_000, westE7 > -1_800_000_000 {
      return [westE7...eastE7, -1_800_000_000...(-1_800_000_000)]
    }
    return [westE7...eastE7]
  }

  /// Calls `body` with the edges of each of ``longitudeRangesE7``, without allocating an array.
  @inlinable
  package func forEachLongitudeRange<Failure: Error>(
    _ body: (_ westE7: Int32, _ eastE7: Int32) throws(Failure) -> Void
  ) throws(Failure) {
    if !crossesAntimeridian, eastE7 < 1_800_000_000 { return try body(westE7, eastE7) }
    for range in longitudeRangesE7 { try body(range.lowerBound, range.upperBound) }
  }

  /// Returns true if the box contains a coordinate, edges included.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard coordinate.latitudeE7 >= southE7, coordinate.latitudeE7 <= northE7 else { return false }
    let longitude = coordinate.longitudeE7
    if crossesAntimeridian { return longitude >= westE7 || longitude <= eastE7 }
    if longitude == -1_800_000_000, eastE7 == 1_800_000_000 { return true }
    return longitude >= westE7 && longitude <= eastE7
  }

  /// The southern edge in degrees, -90...90.
  public var south: Double { Double(southE7) / 1e7 }
  /// The western edge in degrees, -180...180; greater than ``east`` if the box crosses ±180°.
  public var west: Double { Double(westE7) / 1e7 }
  /// The northern edge in degrees, -90...90.
  public var north: Double { Double(northE7) / 1e7 }
  /// The eastern edge in degrees, -180...180; less than ``west`` if the box crosses ±180°.
  public var east: Double { Double(eastE7) / 1e7 }
}
