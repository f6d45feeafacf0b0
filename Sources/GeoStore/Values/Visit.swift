import Geodesy

/// One stay in a region: its first and last fix time.
///
/// ```swift
/// for match in try await explorer.nearestRegions(to: here, count: 1) {
///   let visits = try await store.read { try $0.visits(toRegion: match.region.id) }
///   for visit in visits { print(visit.start.iso8601, visit.end.iso8601) }
/// }
/// ```
public struct Visit: Hashable, Sendable {
  /// First fix time.
  public var start: Timestamp
  /// Last fix time, not before the first.
  public var end: Timestamp

  /// Creates a visit from a first and a last time.
  package init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = end
  }
}
