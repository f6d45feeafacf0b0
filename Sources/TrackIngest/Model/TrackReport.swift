import Geodesy

/// The smallest and largest latitude and longitude of some points. Points on both sides of ±180°
/// give an extent of nearly 360°. Points on that meridian lie on the side of the others.
///
/// ```swift
/// var reader = TrackReader(now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// if let extent = reader.finish().extent {
///   print("from \(Double(extent.southE7) / 1e7)° to \(Double(extent.northE7) / 1e7)° latitude")
/// }
/// ```
public struct Extent: Hashable, Sendable {
  /// Smallest latitude, in units of 1e-7 degree.
  public private(set) var southE7: Int32
  /// Largest latitude, in units of 1e-7 degree.
  public private(set) var northE7: Int32
  /// The smallest and the largest longitude of the points that are not on the meridian of ±180°. If
  /// there are no such points, `least` is greater than `greatest`.
  private var least = Int32.max
  private var greatest = Int32.min
  /// Whether a point is on the meridian of ±180°.
  private var touchesAntimeridian = false

  /// Creates the extent of one point.
  package init(_ coordinate: Coordinate) {
    (southE7, northE7) = (coordinate.latitudeE7, coordinate.latitudeE7)
    include(longitudeE7: coordinate.longitudeE7)
  }

  /// Smallest longitude, in units of 1e-7 degree.
  public var westE7: Int32 {
    if least > greatest { return -Self.antimeridian }
    return touchesAntimeridian && !isNearerInEast ? -Self.antimeridian : least
  }

  /// Largest longitude, in units of 1e-7 degree.
  public var eastE7: Int32 {
    if least > greatest { return -Self.antimeridian }
    return touchesAntimeridian && isNearerInEast ? Self.antimeridian : greatest
  }

  /// Extends it to contain a point.
  package mutating func include(_ coordinate: Coordinate) {
    southE7 = min(southE7, coordinate.latitudeE7)
    northE7 = max(northE7, coordinate.latitudeE7)
    include(longitudeE7: coordinate.longitudeE7)
  }

  private mutating func include(longitudeE7: Int32) {
    if longitudeE7.magnitude == Self.antimeridian.magnitude {
      touchesAntimeridian = true
    } else {
      least = min(least, longitudeE7)
      greatest = max(greatest, longitudeE7)
    }
  }

  /// Whether the meridian of ±180° is as near to the greatest longitude as to the least, or nearer.
  private var isNearerInEast: Bool {
    let edge = Int64(Self.antimeridian)
    return edge - Int64(greatest) <= Int64(least) + edge
  }

  private static let antimeridian: Int32 = 1_800_000_000
}

/// The contents of one source, with a count for each of its positions.
///
/// ```swift
/// var reader = TrackReader(now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// let report = reader.finish()
/// print("\(report.kept) of \(report.points) points kept")
/// for warning in report.warnings { print(warning.message) }
/// ```
public struct TrackReport: Hashable, Sendable {
  /// The format; nil if it is not a supported one.
  public package(set) var format: SourceFormat?
  /// The number of tracks.
  public package(set) var tracks = 0
  /// The number of segments, including empty ones.
  public package(set) var segments = 0
  /// The number of waypoints with a valid position.
  public package(set) var waypoints = 0
  /// The number of route points with a valid position.
  public package(set) var routePoints = 0
  /// The number of track points with a valid position (and of waypoints and route points, if
  /// included): ``kept`` plus the sum of ``dropped``.
  public package(set) var points = 0
  /// The positions that are not fixes, by reason.
  public package(set) var skipped = Tally<SkipReason>()
  /// The number of fixes that passed every filter.
  public package(set) var kept = 0
  /// The fixes that a filter dropped, by reason.
  public package(set) var dropped = Tally<DropReason>()
  /// The number of flights among the kept fixes.
  public package(set) var flights = 0
  /// The number of kept fixes made in the air, on these flights.
  package var flightPoints = 0
  /// The number of points of unknown accuracy, to which the accuracy limit does not apply.
  package var unknownAccuracy = 0
  /// The number of points without a time.
  public package(set) var undated = 0
  /// The earliest time of a point outside privacy zones.
  public package(set) var firstTime: Timestamp?
  /// The latest time of a point outside privacy zones.
  public package(set) var lastTime: Timestamp?
  /// The extent of the points, kept or dropped, without those in privacy zones and at exactly
  /// 0° N 0° E (no position); nil if there are no others.
  public package(set) var extent: Extent?
  /// The number of explored pixels, of a format that has no fixes.
  public package(set) var pixels = 0
  /// The warnings, in the order of their first occurrence.
  public package(set) var warnings: [IngestWarning] = []
  /// The reason why the source was refused; nil if it was read.
  public package(set) var error: IngestError?

  /// Creates an empty report.
  package init() {}
}
