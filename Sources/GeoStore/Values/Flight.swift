import Geodesy

/// A flight: a run of legs between kept fixes that is faster than any ground vehicle
/// (`docs/decisions/flights.md`).
///
/// ```swift
/// let flights = try await store.read { try $0.flights().flights }
/// for flight in flights { print(flight.start.iso8601, Int(flight.distanceMeters / 1_000), "km") }
/// ```
public struct Flight: Hashable, Sendable {
  /// The time of the fix before the first leg.
  public let start: Timestamp
  /// The time of the fix after the last leg.
  public internal(set) var end: Timestamp
  /// The length of the legs in meters.
  public internal(set) var distanceMeters: Double

  /// Creates a flight.
  package init(start: Timestamp, end: Timestamp, distanceMeters: Double) {
    (self.start, self.end, self.distanceMeters) = (start, end, distanceMeters)
  }

  /// Returns the flights in order of time, each once: those that overlap were recorded by several
  /// devices, or are in several files. The longest distance counts.
  ///
  /// - Complexity: O(n log n).
  package static func union(_ flights: [Flight]) -> [Flight] {
    var union: [Flight] = []
    for flight in flights.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      guard let last = union.last, flight.start < last.end else {
        union.append(flight)
        continue
      }
      union[union.count - 1].end = max(last.end, flight.end)
      union[union.count - 1].distanceMeters = max(last.distanceMeters, flight.distanceMeters)
    }
    return union
  }
}
