import Geodesy

/// A cell of the frontier and how far its centre is.
public struct FrontierCell: Hashable, Sendable {
  /// The unexplored cell.
  public let cell: Cell
  /// Its centre, to 1e-7 degree.
  public let center: Coordinate
  /// Distance in metres on the ellipsoid from the point that was asked about to the centre.
  public let distanceMeters: Double
}

extension Coverage {
  /// The cells of the ``frontier`` whose centres are nearest to a point, nearest first; equally far ones in order
  /// of row and column.
  ///
  /// - Parameters:
  ///   - limit: at most so many.
  ///   - box: only cells in this box; nil for all.
  /// - Complexity: O(frontier + n log limit), where n cells are nearer than the worst kept so far; memory of
  ///   `limit` cells.
  public func nearestFrontier(
    to point: Coordinate, limit: Int, in box: CellBox? = nil
  ) -> [FrontierCell] {
    guard limit > 0 else { return [] }
    var nearest: [FrontierCell] = []
    // Twice as many as asked for are gathered, then the farther half is dropped: n log n of a small n, now and then.
    let capacity = limit > .max / 2 ? .max : 2 * limit
    var worst = Double.infinity
    func sift() {
      nearest.sort { ($0.distanceMeters, $0.cell) < ($1.distanceMeters, $1.cell) }
      nearest.removeLast(max(0, nearest.count - limit))
      if nearest.count == limit, let last = nearest.last { worst = last.distanceMeters }
    }
    for cell in frontier {
      if let box, !box.contains(cell) { continue }
      guard let center = grid.centerCoordinate(of: cell) else { continue }
      guard center.leastPossibleMeters(to: point) <= worst else { continue }
      let distance = center.distanceMeters(to: point)
      guard distance <= worst else { continue }
      nearest.append(FrontierCell(cell: cell, center: center, distanceMeters: distance))
      if nearest.count >= capacity { sift() }
    }
    sift()
    return nearest
  }
}

extension Grid {
  /// The centre of a cell, rounded to 1e-7 degree. Nil for a cell that the grid does not have.
  public func centerCoordinate(of cell: Cell) -> Coordinate? {
    guard contains(cell) else { return nil }
    let center = center(of: cell)
    return try? Coordinate(
      latitudeDegrees: center.latitudeDegrees, longitudeDegrees: center.longitudeDegrees)
  }
}

extension Coordinate {
  /// Metres that another point is away at least: cheap, and never too much.
  ///
  /// The ellipsoid's radii of curvature are nowhere under a(1 − e²) = 6 335 439 m, so no path on it is shorter than on a
  /// sphere of that radius, and no arc there shorter than its chord.
  fileprivate func leastPossibleMeters(to other: Coordinate) -> Double {
    let halfLatitude = sine((latitudeRadians - other.latitudeRadians) / 2)
    let halfLongitude = sine((longitudeRadians - other.longitudeRadians) / 2)
    let haversine =
      halfLatitude * halfLatitude
      + cosine(latitudeRadians) * cosine(other.latitudeRadians) * halfLongitude * halfLongitude
    return 2 * 6_335_000 * min(1, haversine).squareRoot()
  }
}
