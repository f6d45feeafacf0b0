import Geodesy

/// A position of a track, as reported by the receiver.
///
/// ```swift
/// let fix = Fix(coordinate: here, time: now, horizontalAccuracyMeters: 8)
/// let recording = try await explorer.startRecording(named: "Walk")
/// print(try await recording.add(fix).stored.cellsAdded)
/// ```
public struct Fix: Hashable, Sendable {
  /// The position: WGS 84, rounded to 1e-7 degree.
  public var coordinate: Coordinate
  /// The time; nil if the file has none, or an impossible one.
  public var time: Timestamp?
  /// How exact the text of the time is. Only tables state anything but seconds.
  package var timeResolution = TimeResolution.second
  /// Horizontal accuracy: the radius in meters that contains the true position in 68 % of cases;
  /// nil if unknown. May be zero, negative or infinite if the file says so; the filter drops such
  /// fixes.
  public var horizontalAccuracyMeters: Double?
  /// Height above mean sea level in meters, as in the file; nil if unknown.
  public var elevationMeters: Double?
  /// Speed over ground in meters per second; nil if unknown.
  public var speedMetersPerSecond: Double?

  /// Creates a fix.
  public init(
    coordinate: Coordinate, time: Timestamp? = nil, horizontalAccuracyMeters: Double? = nil,
    elevationMeters: Double? = nil, speedMetersPerSecond: Double? = nil
  ) {
    self.coordinate = coordinate
    self.time = time
    self.horizontalAccuracyMeters = horizontalAccuracyMeters
    self.elevationMeters = elevationMeters
    self.speedMetersPerSecond = speedMetersPerSecond
  }

  /// The horizontal accuracy in meters of one unit of HDOP, for files that state no meters: HDOP 10
  /// is the default limit of 50 m. HDOP itself is a ratio, not meters.
  package static let metersPerHDOP = 5.0
}
