/// The limits of a ``FixFilter``. Defaults are those of the Roqua app.
///
/// ```swift
/// let settings = FilterSettings(maximumAccuracyMeters: 20, trackingDistanceMeters: 10)
/// var reader = TrackReader(filter: settings, now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// print(reader.finish().kept)
/// ```
public struct FilterSettings: Hashable, Sendable {
  /// The largest horizontal accuracy in meters; fixes above it are dropped, and those with accuracy
  /// ≤ 0.
  public var maximumAccuracyMeters: Double
  /// The least distance from the last kept fix of a segment in meters; closer fixes are dropped.
  public var trackingDistanceMeters: Double
  /// The least time after the last kept fix of a segment in seconds; earlier fixes are dropped.
  public var minimumIntervalSeconds: Double
  /// The greatest speed in meters per second; a lone fix that needs more both to reach and to leave
  /// is dropped.
  public var maximumSpeedMetersPerSecond: Double

  /// Seconds between kept fixes of a live stream, unless a store says otherwise.
  package static let liveIntervalSeconds = 5.0

  /// Creates settings; defaults are those for files. Recordings use an interval of 5 s.
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
