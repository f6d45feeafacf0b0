import Geodesy

/// A fix that passed every filter, as stored: coordinate, time, accuracy, whether it starts a
/// segment, and whether it is part of a flight. Everything else in the store can be rebuilt from
/// the kept fixes.
///
/// ```swift
/// let dated = try await store.read { snapshot in
///   var count = 0
///   try snapshot.forEachChunkOfKeptFixes { fixes in count += fixes.count { $0.time != nil } }
///   return count
/// }
/// print("\(dated) kept fixes have a time")
/// ```
public struct KeptFix: Hashable, Sendable {
  /// The position, exact to the stored unit of 1e-7 degree.
  public var coordinate: Coordinate
  /// The time, to the millisecond, in the years 0 to 9999; nil if unknown.
  public internal(set) var time: Timestamp?
  /// Horizontal accuracy in centimeters, 0...4 294 967 295; nil if unknown.
  package var accuracyCentimeters: UInt32?
  /// Whether an unbroken run of fixes starts with this fix.
  public var startsSegment: Bool
  /// Whether the fix was made in the air, on a flight. It explores nothing unless the setting
  /// `flightsExplore` is 1.
  public var isInFlight: Bool
  /// True if the step from the kept fix before, of the same source, belongs to a flight.
  public var endsFlightLeg: Bool

  /// Creates a kept fix. The accuracy is rounded to the centimeter and limited to 42 949 672.95 m.
  /// A time outside the years 0 to 9999, which no store has, counts as unknown.
  public init(
    coordinate: Coordinate, time: Timestamp?, accuracyMeters: Double?, startsSegment: Bool,
    isInFlight: Bool = false, endsFlightLeg: Bool = false
  ) {
    self.coordinate = coordinate
    self.time = time.flatMap { Timestamp.writable.contains($0) ? $0 : nil }
    accuracyCentimeters = accuracyMeters.map { meters in
      meters.isNaN ? 0 : UInt32(min(4_294_967_295, max(0, (meters * 100).rounded())))
    }
    self.startsSegment = startsSegment
    self.isInFlight = isInFlight
    self.endsFlightLeg = endsFlightLeg
  }

  /// Horizontal accuracy in meters, to the centimeter; nil if unknown.
  public var accuracyMeters: Double? { accuracyCentimeters.map { Double($0) / 100 } }
}
