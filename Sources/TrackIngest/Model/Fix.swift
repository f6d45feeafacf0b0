import Geodesy

/// One position report of a receiver, as it stands in a track.
public struct Fix: Hashable, Sendable {
  /// Where: WGS 84, rounded to 1e-7 degree.
  public var coordinate: Coordinate
  /// When, in UTC; nil where the file gives no time, or an impossible one.
  public var time: Timestamp?
  /// Horizontal accuracy: the radius in metres that holds the true position in 68 % of cases. Nil where unknown.
  /// May be zero, negative or infinite as the file says it: the filter judges it.
  public var horizontalAccuracyMeters: Double?
  /// Height above mean sea level in metres, as the file gives it; nil where unknown.
  public var elevationMeters: Double?
  /// Speed over ground in metres a second; nil where unknown.
  public var speedMetersPerSecond: Double?

  /// A fix with whatever is known of it.
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

  /// Metres of horizontal accuracy that one unit of HDOP stands for, where a file gives no metres: HDOP 10 is
  /// the default limit of 50 m. HDOP itself is a ratio and never taken for metres.
  public static let metersPerHDOP = 5.0
}
