import Geodesy

/// A region that a search has found: 24 bytes, without what else is known of it.
///
/// ```swift
/// let hits = try await store.read { try $0.hits(near: here, radiusMeters: 1_000) }
/// for hit in hits { print(hit.coordinate, hit.distanceMeters) }
/// ```
public struct RegionHit: Hashable, Sendable, Identifiable {
  /// The region's number.
  public let id: Int64
  /// Its center.
  public let coordinate: Coordinate
  /// Distance in meters on the ellipsoid from the point that was asked for to the center.
  public let distanceMeters: Double

  /// A hit.
  package init(id: Int64, coordinate: Coordinate, distanceMeters: Double) {
    self.id = id
    self.coordinate = coordinate
    self.distanceMeters = distanceMeters
  }
}

extension RegionHit: Ranked {}

/// A region and how far it is.
///
/// ```swift
/// if let match = try await explorer.nearestRegions(to: here, count: 1).first {
///   print(match.region.place.city ?? "no city", "\(match.distanceMeters) m")
/// }
/// ```
public struct RegionMatch: Hashable, Sendable {
  /// The region.
  public let region: VisitedRegion
  /// Distance in meters on the ellipsoid from the point that was asked for to its center.
  public let distanceMeters: Double
}

extension RegionMatch: Ranked {
  var id: Int64 { region.id }
}
