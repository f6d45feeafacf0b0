/// What an estimated position rests on.
///
/// ```swift
/// if let estimate = try await explorer.position(at: now), estimate.certainty.isRecorded {
///   print("\(estimate.coordinate), within \(Int(estimate.uncertaintyMeters)) m")
/// }
/// ```
public enum PositionCertainty: UInt8, CaseIterable, Sendable {
  /// A kept fix has exactly this time.
  case fix
  /// Within a stay: the person was at one place between two kept fixes that are near each other.
  case visit
  /// On the way between two kept fixes of one segment that a person can have traveled between in
  /// the time.
  case moving
  /// On a flight.
  case flight
  /// Nothing was recorded around this time, or nobody can have made the step: the position is the
  /// nearer of the last known one before and the next known one after.
  case gap
  /// Before the first kept fix, whose position it is.
  case before
  /// After the last kept fix, whose position it is.
  case after

  /// The name in JSON.
  package var name: String { "\(self)" }

  /// True if a track was recorded at the time, false if the position is only the nearest known one.
  public var isRecorded: Bool {
    switch self {
    case .fix, .visit, .moving, .flight: true
    case .gap, .before, .after: false
    }
  }
}
