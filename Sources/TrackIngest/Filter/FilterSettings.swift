import Geodesy

/// The limits of the filter that decides which fixes are kept. The defaults are those of the Roqua
/// app.
///
/// ```swift
/// let settings = FilterSettings(maximumAccuracyMeters: 20, trackingDistanceMeters: 10)
/// var reader = TrackReader(filter: settings, now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// print(reader.finish().kept)
/// ```
public struct FilterSettings: Hashable, Sendable {
  /// The maximum horizontal accuracy in meters. Fixes above it, and those with accuracy ≤ 0, are
  /// dropped.
  public var maximumAccuracyMeters: Double
  /// The minimum distance from the last kept fix of a segment in meters; closer fixes are dropped.
  public var trackingDistanceMeters: Double
  /// The minimum time after the last kept fix of a segment in seconds; earlier fixes are dropped.
  public var minimumIntervalSeconds: Double
  /// The maximum speed in meters per second. A lone fix that could only be reached and left at a
  /// higher speed is dropped.
  public var maximumSpeedMetersPerSecond: Double
  /// The privacy zones. Fixes in them are dropped, and the track is cut there.
  public var zones: PrivacyZones

  /// The seconds between kept fixes of a recording, unless the store's settings differ.
  package static let liveIntervalSeconds = 5.0

  /// Creates settings; defaults are those for files. Recordings use an interval of 5 s.
  public init(
    maximumAccuracyMeters: Double = 50, trackingDistanceMeters: Double = 50,
    minimumIntervalSeconds: Double = 0, maximumSpeedMetersPerSecond: Double = 350,
    zones: PrivacyZones = PrivacyZones()
  ) {
    self.maximumAccuracyMeters = maximumAccuracyMeters
    self.trackingDistanceMeters = trackingDistanceMeters
    self.minimumIntervalSeconds = minimumIntervalSeconds
    self.maximumSpeedMetersPerSecond = maximumSpeedMetersPerSecond
    self.zones = zones
  }
}
