import Geodesy
import TrackIngest

/// The rules of a live session: the limits of the filter for files, and three that only fixes from
/// a receiver need.
///
/// With an interval of 0 the three do not apply (``isLikeFile``): a track that is fed fix by fix
/// then gives the same regions, visits and coverage as the file of it.
///
/// ```swift
/// var rules = LiveRules()
/// rules.longestGapSeconds = 120
/// rules.filter.maximumAccuracyMeters = 20
/// var state = LiveSession.State(rules: rules)
/// let fix = Fix(coordinate: here, time: now, horizontalAccuracyMeters: 35)
/// print(LiveSession().reduce(&state, .fixesArrived([fix])))
/// ```
public struct LiveRules: Hashable, Sendable {
  /// The limits of the filter. Its interval is the time between two fixes that are processed, 5 s
  /// unless the store's settings differ.
  public var filter: FilterSettings
  /// A fix later than this after the one before, in seconds, starts a segment.
  public var longestGapSeconds: Double
  /// Below this speed over ground in meters per second, as stated by the receiver, a fix within the
  /// combined accuracy of itself and the last kept one is drift: dropped as too close, although it
  /// may be farther away than the tracking distance.
  public var standingSpeedMetersPerSecond: Double

  /// Creates rules. By default a segment ends after 300 s without a fix, as in a log of NMEA
  /// sentences, and a receiver stands still below 0.5 m/s: half of a slow walk (1 m/s); receivers
  /// at rest state up to about 0.3 m/s.
  public init(
    filter: FilterSettings = FilterSettings(minimumIntervalSeconds: 5),
    longestGapSeconds: Double = 300,
    standingSpeedMetersPerSecond: Double = 0.5
  ) {
    self.filter = filter
    self.longestGapSeconds = longestGapSeconds
    self.standingSpeedMetersPerSecond = standingSpeedMetersPerSecond
  }

  /// Whether fixes are treated as those of a file: the interval is 0.
  public var isLikeFile: Bool { filter.minimumIntervalSeconds == 0 }
}
