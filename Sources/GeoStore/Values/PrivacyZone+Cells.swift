import Geodesy
import GridHash

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
