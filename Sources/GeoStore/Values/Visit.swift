import Geodesy

/// One stay in a region: the first and the last fix time of it.
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

  /// A stay from one time to another.
  package init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = end
  }
}
