/// A fix that passed every filter.
///
/// ```swift
/// var reader = TrackReader(now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// if reader.finish().error == nil {
///   for accepted in reader.takeAccepted() { print(accepted.fix.time?.iso8601 ?? "no time") }
/// }
/// ```
public struct AcceptedFix: Hashable, Sendable {
  /// The fix.
  public let fix: Fix
  /// True if this is the first kept fix of its segment.
  public let startsSegment: Bool
  /// True if the fix was made in the air, on a flight.
  public internal(set) var isInFlight = false
  /// True if the step from the kept fix before belongs to a flight.
  public internal(set) var endsFlightLeg = false

  /// Creates a fix that is not part of a flight.
  package init(fix: Fix, startsSegment: Bool) {
    self.fix = fix
    self.startsSegment = startsSegment
  }
}
