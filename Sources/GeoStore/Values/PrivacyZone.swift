import Geodesy
import GridHash

/// A disc whose data is deleted from the store: every kept fix at most `radiusMeters` from the
/// center.
///
/// ```swift
/// let home = PrivacyZone(center: here, radiusMeters: 300)
/// for await fix in receiver where !home.contains(fix.coordinate) { print(fix.coordinate) }
/// ```
public struct PrivacyZone: Hashable, Sendable {
  /// The center.
  public let center: Coordinate
  /// The radius in meters on the ellipsoid, inclusive.
  public let radiusMeters: Double

  /// Creates a zone. A negative radius makes an empty zone.
  public init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// Returns whether a position lies in the zone.
  public func contains(_ coordinate: Coordinate) -> Bool {
    center.distanceMeters(to: coordinate) <= radiusMeters
  }
}

extension PrivacyZone {
  /// The cells that could have been explored from inside the zone. They are removed from a source
  /// that has cells and no fixes, so that what remains does not show a ring around the zone.
  ///
  /// The center of such a cell is at most the exploration radius away from a point of the zone,
  /// measured on the sphere. On the sphere that point is at most 0.6 % farther from the zone's
  /// center than on the ellipsoid: the ellipsoid's least radius of curvature is 6 335.4 km and the
  /// sphere's radius 6 371.0 km, 1.0056 times as much.
  func cells(on grid: Grid) -> CellDisc {
    CellDisc(
      grid: grid, center: center,
      radiusMeters: 1.006 * max(0, radiusMeters) + grid.explorationRadiusMeters)
  }
}
