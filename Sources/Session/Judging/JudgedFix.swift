import Geodesy
import TrackIngest

/// A fix and the verdict about it.
///
/// ```swift
/// let recording = try await explorer.startRecording(named: "Way home")
/// for await fix in receiver {
///   for judged in try await recording.add(fix).verdicts where judged.verdict == .kept {
///     print(judged.fix.coordinate, judged.isInFlight ? "in the air" : "on the ground")
///   }
/// }
/// try await recording.finish()
/// ```
public struct JudgedFix: Hashable, Sendable {
  /// The fix.
  public let fix: Fix
  /// Kept, or the reason why the fix was dropped.
  public var verdict: Verdict
  /// True if the fix is the first kept one of its segment.
  public var startsSegment = false
  /// True if the fix was made in the air, on a flight. It explores nothing unless the setting
  /// `flightsExplore` is 1.
  public var isInFlight = false
  /// True if the step from the kept fix before belongs to a flight.
  public var endsFlightLeg = false

  /// Creates a judged fix.
  public init(fix: Fix, verdict: Verdict) {
    self.fix = fix
    self.verdict = verdict
  }
}

/// A kept fix whose part in a flight became certain after it was stored: the climb before the speed
/// of a flight was reached, for example.
///
/// An app that shows flights in another color changes what it has drawn:
///
/// ```swift
/// func update(_ timesInFlight: inout Set<Timestamp>, with request: LiveSession.StoreRequest) {
///   for correction in request.corrections {
///     guard let time = correction.time else { continue }
///     if correction.isInFlight { timesInFlight.insert(time) } else { timesInFlight.remove(time) }
///   }
/// }
/// ```
public struct FlightCorrection: Hashable, Sendable {
  /// The position of the fix.
  public let coordinate: Coordinate
  /// The time of the fix. Fixes without one are never part of a flight.
  public let time: Timestamp?
  /// Whether the fix was taken to be in the air before.
  public let wasInFlight: Bool
  /// Whether the fix was made in the air.
  public let isInFlight: Bool
  /// Whether the step from the kept fix before belongs to a flight.
  public let endsFlightLeg: Bool

  /// Creates a correction.
  public init(
    coordinate: Coordinate, time: Timestamp?, wasInFlight: Bool, isInFlight: Bool,
    endsFlightLeg: Bool
  ) {
    self.coordinate = coordinate
    self.time = time
    self.wasInFlight = wasInFlight
    self.isInFlight = isInFlight
    self.endsFlightLeg = endsFlightLeg
  }
}
