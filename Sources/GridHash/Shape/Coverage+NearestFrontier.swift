import Geodesy

/// A cell of the frontier and the distance to its center.
package struct FrontierCell: Hashable, Sendable {
  /// The unexplored cell.
  package let cell: Cell
  /// Its center, to 1e-7 degree.
  package let center: Coordinate
  /// Distance in meters on the ellipsoid from the given point to the center.
  package let distanceMeters: Double
}

extension Coverage {
  /// The cells of the ``frontier`` whose centers are nearest to a point, nearest first; ties are
  /// ordered by row and column.
  ///
  /// - Parameters:
  ///   - point: the point.
  ///   - limit: the maximum number of cells.
  ///   - box: returns only cells in this box; nil for all.
  /// - Complexity: O(frontier + n log limit), where n cells are nearer than the worst kept so far;
  ///   memory of twice `limit` cells.
  package func nearestFrontier(
    to point: Coordinate, limit: Int, in box: CellBox? = nil
  ) -> [FrontierCell] {
    guard limit > 0 else { return [] }
    var nearest = NearestFrontier(grid: grid, point: point, limit: limit)
    for cell in frontier where box?.contains(cell) ?? true { nearest.add(cell) }
    return nearest.cells
  }
}

extension Grid {
  /// The center of a cell, rounded to 1e-7 degree; nil if the grid does not have the cell.
  package func centerCoordinate(of cell: Cell) -> Coordinate? {
    guard contains(cell) else { return nil }
    let center = center(of: cell)
    return try? Coordinate(
      latitudeDegrees: center.latitudeDegrees, longitudeDegrees: center.longitudeDegrees)
  }
}

extension Coordinate {
  /// A lower bound of the distance to another point in meters; cheap to compute.
  ///
  /// The ellipsoid's radii of curvature are nowhere less than a(1 − e²) = 6 335 439 m, so no path
  /// on it is shorter than on a sphere of that radius, and no arc there is shorter than its chord.
  func leastPossibleMeters(to other: Coordinate) -> Double {
    let halfLatitude = sine((latitudeRadians - other.latitudeRadians) / 2)
    let halfLongitude = sine((longitudeRadians - other.longitudeRadians) / 2)
    let haversine =
      halfLatitude * halfLatitude
      + cosine(latitudeRadians) * cosine(other.latitudeRadians) * halfLongitude * halfLongitude
    return 2 * 6_335_000 * min(1, haversine).squareRoot()
  }
}
