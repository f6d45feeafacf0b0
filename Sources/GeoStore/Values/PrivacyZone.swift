import Geodesy
import GridHash

/// A disc of which the store is to know nothing: every kept fix at most `radiusMeters` from the
/// center.
///
/// ```swift
/// let home = PrivacyZone(center: here, radiusMeters: 300)
/// for await fix in receiver where !home.contains(fix.coordinate) { print(fix.coordinate) }
/// ```
public struct PrivacyZone: Hashable, Sendable {
  /// Its center.
  public let center: Coordinate
  /// Its radius in meters on the ellipsoid, inclusive.
  public let radiusMeters: Double

  /// A zone; a negative radius is an empty one.
  public init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// Whether a position lies in the zone.
  public func contains(_ coordinate: Coordinate) -> Bool {
    center.distanceMeters(to: coordinate) <= radiusMeters
  }
}

extension PrivacyZone {
  /// The cells that could have been explored from inside the zone: what is left of a source that
  /// brought cells and no fixes must not show a ring around what was taken out.
  ///
  /// Such a cell's center is at most the exploration radius away from a point of the zone, on the
  /// sphere, where that point is at most 0.6 % further from the zone's center than on the
  /// ellipsoid: the least radius of curvature is 6 335.4 km, the sphere's 6 371.0 km, which is
  /// 1.0056 of it.
  func cells(on grid: Grid) -> CellDisc {
    CellDisc(
      grid: grid, center: center,
      radiusMeters: 1.006 * max(0, radiusMeters) + grid.explorationRadiusMeters)
  }
}
