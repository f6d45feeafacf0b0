import Geodesy

/// The smallest and largest latitude and longitude of some points, as plain numbers: points on both sides of
/// ±180° give a box nearly all the way round.
public struct Extent: Hashable, Sendable {
  /// Smallest latitude, in units of 1e-7 degree.
  public private(set) var southE7: Int32
  /// Smallest longitude.
  public private(set) var westE7: Int32
  /// Largest latitude.
  public private(set) var northE7: Int32
  /// Largest longitude.
  public private(set) var eastE7: Int32

  /// The extent of one point.
  public init(_ coordinate: Coordinate) {
    (southE7, northE7) = (coordinate.latitudeE7, coordinate.latitudeE7)
    (westE7, eastE7) = (coordinate.longitudeE7, coordinate.longitudeE7)
  }

  /// Grows to hold a point.
  public mutating func include(_ coordinate: Coordinate) {
    southE7 = min(southE7, coordinate.latitudeE7)
    northE7 = max(northE7, coordinate.latitudeE7)
    westE7 = min(westE7, coordinate.longitudeE7)
    eastE7 = max(eastE7, coordinate.longitudeE7)
  }
}

/// What was found in one source, and what became of each position in it.
public struct TrackReport: Hashable, Sendable {
  /// Its format; nil where it is none that Roqua reads.
  public var format: SourceFormat?
  /// Tracks.
  public var tracks = 0
  /// Segments, empty ones included.
  public var segments = 0
  /// Waypoints with a valid position.
  public var waypoints = 0
  /// Route points with a valid position.
  public var routePoints = 0
  /// Track points with a valid position (and waypoints and route points, where they are included):
  /// `kept` + the sum of `dropped`.
  public var points = 0
  /// Positions that never became a fix.
  public var skipped = Tally<SkipReason>()
  /// Fixes that passed every filter.
  public var kept = 0
  /// Fixes that did not.
  public var dropped = Tally<DropReason>()
  /// Points of unknown accuracy: they are not judged by it.
  public var unknownAccuracy = 0
  /// Points without a time.
  public var undated = 0
  /// Earliest time of a point.
  public var firstTime: Timestamp?
  /// Latest time of a point.
  public var lastTime: Timestamp?
  /// Extent of the points, kept or dropped, without those at exactly 0° N 0° E; nil where there
  /// are no others.
  public var extent: Extent?
  /// Oddities, in the order in which they were met.
  public var warnings: [IngestWarning] = []
  /// Why the source was refused; nil where it was read.
  public var error: IngestError?

  /// Nothing found yet.
  public init() {}
}
