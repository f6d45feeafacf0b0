import Geodesy
import GridHash

/// A disc of which the store is to know nothing: every kept fix at most `radiusMeters` from the centre.
public struct PrivacyZone: Hashable, Sendable {
  /// Its centre.
  public let center: Coordinate
  /// Its radius in metres on the ellipsoid, inclusive.
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
  /// Whether cells could have been explored from inside the zone: what is left of a source that brought cells and no
  /// fixes must not show a ring around what was taken out.
  ///
  /// Such a cell's centre is at most the exploration radius away from a point of the zone, on the sphere; on the
  /// ellipsoid that is at most 1 % more (its radii of curvature, 6 335 to 6 400 km, are within 0.6 % of the
  /// sphere's 6 371 km).
  struct Cells {
    private let grid: Grid
    private let center: Coordinate
    private let reachMeters: Double
    private let box: CellBox

    init(of zone: PrivacyZone, grid: Grid) {
      self.grid = grid
      center = zone.center
      reachMeters = zone.radiusMeters + 1.01 * grid.explorationRadiusMeters
      box = CellBox(grid: grid, box: BoundingBox(around: center, radiusMeters: reachMeters))
    }

    /// Keys between which the tiles lie that can have such cells, and others too; nil for none.
    var tileKeys: ClosedRange<Int64>? { box.tileKeys }

    /// The cells of a tile that the zone could have explored.
    ///
    /// - Complexity: O(cells of the tile in the box around the zone), a distance each.
    func intersection(_ tile: Tile, at key: Int64) throws(CoordinateError) -> Tile {
      let candidates = box.clipped(tile, at: key)
      let first = grid.firstCell(ofTile: key)
      var result = Tile()
      for row in 0..<64 {
        var bits = candidates[row: row]
        while bits != 0 {
          let column = bits.trailingZeroBitCount
          bits &= bits - 1
          let middle = grid.center(
            of: Cell(row: first.row + Int32(row), column: first.column + Int32(column)))
          let position = try Coordinate(
            latitudeDegrees: middle.latitudeDegrees, longitudeDegrees: middle.longitudeDegrees)
          if center.distanceMeters(to: position) <= reachMeters {
            result[row: row] |= 1 << UInt64(column)
          }
        }
      }
      return result
    }
  }
}
