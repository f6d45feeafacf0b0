import Geodesy

/// Where the store's owner was at a time, and how certain that is. The rules are in
/// `docs/where-was-i.md`.
///
/// ```swift
/// let whereabouts = try await explorer.whereabouts()
/// if let estimate = whereabouts.position(at: now) {
///   print(estimate.coordinate, estimate.uncertaintyMeters, estimate.certainty)
/// }
/// ```
public struct PositionEstimate: Hashable, Sendable {
  /// A kept fix next to the time.
  public struct KnownPosition: Hashable, Sendable {
    /// The time of the fix.
    public let time: Timestamp
    /// The position of the fix.
    public let coordinate: Coordinate
  }

  /// The time that was asked for.
  public let time: Timestamp
  /// The estimated position.
  public let coordinate: Coordinate
  /// The radius in meters within which the person was, by the rules of the estimate; at least the
  /// accuracy of the fixes that it uses.
  public let uncertaintyMeters: Double
  /// What the estimate rests on.
  public let certainty: PositionCertainty
  /// The fix at or before the time that the estimate uses; nil before all fixes.
  public let previous: KnownPosition?
  /// The fix at or after the time that the estimate uses; nil after all fixes.
  public let next: KnownPosition?

  /// The time in seconds to the nearer of ``previous`` and ``next``; 0 at the time of a fix.
  package var secondsToNearestFix: Double {
    let distances = [previous, next].compactMap { known in
      known.map { abs($0.time.millisecondsSince1970 - time.millisecondsSince1970) }
    }
    return Double(distances.min() ?? 0) / 1_000
  }

  /// Whether nothing is known within a day of the time: it is in a gap, and ``uncertaintyMeters``
  /// is more than 1,000 km and up to half the Earth.
  package var isFarFromFixes: Bool {
    certainty == .gap
      && secondsToNearestFix * 1_000 > Double(WhereaboutsRules.longestPauseMilliseconds)
  }
}
