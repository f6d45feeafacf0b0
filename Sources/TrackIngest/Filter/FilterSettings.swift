/// What the filter asks of a fix. Defaults are those of the Roqua app.
public struct FilterSettings: Hashable, Sendable {
  /// A fix with a larger horizontal accuracy is dropped (and one with accuracy ≤ 0). Metres.
  public var maximumAccuracyMeters: Double
  /// A fix nearer than this to the last kept fix of its segment is dropped. Metres.
  public var trackingDistanceMeters: Double
  /// A fix sooner than this after the last kept fix of its segment is dropped. Seconds.
  public var minimumIntervalSeconds: Double
  /// A lone fix that needs more than this both to reach and to leave is dropped. Metres a second.
  public var maximumSpeedMetersPerSecond: Double

  /// Seconds between kept fixes of a live stream, unless a store says otherwise.
  public static let liveIntervalSeconds = 5.0

  /// The settings for files by default; live streams use an interval of 5 s.
  public init(
    maximumAccuracyMeters: Double = 50, trackingDistanceMeters: Double = 50,
    minimumIntervalSeconds: Double = 0, maximumSpeedMetersPerSecond: Double = 350
  ) {
    self.maximumAccuracyMeters = maximumAccuracyMeters
    self.trackingDistanceMeters = trackingDistanceMeters
    self.minimumIntervalSeconds = minimumIntervalSeconds
    self.maximumSpeedMetersPerSecond = maximumSpeedMetersPerSecond
  }
}
