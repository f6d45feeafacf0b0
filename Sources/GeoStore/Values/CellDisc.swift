import Foundation
import Geodesy
import GridHash

/// The cells of a grid whose centers lie within a given radius of a point, by great-circle distance
/// on the authalic sphere.
///
/// The disc of a kept fix has the grid's own radius and a kernel made for it
/// (`Coverage.mark(discAround:)`). This type applies the plain rule to the few discs of other
/// sizes: those of adopted regions and privacy zones.
struct CellDisc {
  private let grid: Grid
  private let center: Coordinate
  private let haversineOfRadius: Double
  private let box: CellBox
  private let bounds: BoundingBox

  init(grid: Grid, center: Coordinate, radiusMeters: Double) {
    self.grid = grid
    self.center = center
    let half = min(radiusMeters / AuthalicSphere.radiusMeters / 2, .pi / 2)
    haversineOfRadius = sin(half) * sin(half)
    // Computed on the ellipsoid, whose distances differ from the sphere's by less than 1 %.
    bounds = BoundingBox(around: center, radiusMeters: radiusMeters * 1.01)
    box = CellBox(grid: grid, box: bounds)
  }

  /// The range of tile keys that includes every tile with cells of the disc, and possibly others;
  /// nil if there are none.
  var tileKeys: ClosedRange<Int64>? { box.tileKeys }

  /// The cells of a tile that lie in the disc.
  ///
  /// - Complexity: O(cells of the tile in the box around the disc), two sines for each.
  func intersection(_ tile: Tile, at key: Int64) -> Tile {
    let candidates = box.clipped(tile, at: key)
    let first = grid.firstCell(ofTile: key)
    var result = Tile()
    for row in 0..<64 {
      var bits = candidates[row: row]
      while bits != 0 {
        let column = bits.trailingZeroBitCount
        bits &= bits - 1
        let cell = Cell(row: first.row + Int32(row), column: first.column + Int32(column))
        if isInside(grid.center(of: cell)) { result[row: row] |= 1 << UInt64(column) }
      }
    }
    return result
  }

  private func isInside(_ position: (latitudeDegrees: Double, longitudeDegrees: Double)) -> Bool {
    let radians = Double.pi / 180
    let north = sin((position.latitudeDegrees - center.latitudeDegrees) * radians / 2)
    let east = sin((position.longitudeDegrees - center.longitudeDegrees) * radians / 2)
    let cosines = cos(center.latitudeRadians) * cos(position.latitudeDegrees * radians)
    return north * north + cosines * east * east <= haversineOfRadius
  }

  /// All cells of the disc.
  var coverage: Coverage {
    var coverage = Coverage(grid: grid)
    for key in grid.tileKeys(touching: bounds) {
      coverage.insert(intersection(grid.fullTile(at: key), at: key), at: key)
    }
    return coverage
  }
}
