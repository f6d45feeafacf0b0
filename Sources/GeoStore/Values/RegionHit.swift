import Geodesy

/// A region found by a search: its number, center and distance, in 24 bytes.
package struct RegionHit: Hashable, Sendable, Identifiable {
  /// The region's center.
  package let coordinate: Coordinate
  /// The region's number.
  package let id: Int64
  /// Distance in meters on the ellipsoid from the query point to the center.
  package let distanceMeters: Double

  /// Creates a hit.
  package init(id: Int64, coordinate: Coordinate, distanceMeters: Double) {
    self.id = id
    self.coordinate = coordinate
    self.distanceMeters = distanceMeters
  }
}

extension RegionHit: Ranked {}

/// A region with all its details, and its distance.
///
/// ```swift
/// if let match = try await explorer.nearestRegions(to: here, count: 1).first {
///   print(match.region.place.city ?? "no city", "\(match.distanceMeters) m")
/// }
/// ```
public struct RegionMatch: Hashable, Sendable {
  /// The region.
  public let region: VisitedRegion
  /// Distance in meters on the ellipsoid from the query point to the region's center.
  public let distanceMeters: Double
}

extension RegionMatch: Ranked {
  var id: Int64 { region.id }
}
