import Foundation
import Geodesy
import GridHash

/// The cells of a grid whose center lies within any radius of a point, by great-circle distance on
/// the authalic sphere.
///
/// A kept fix's disc has the grid's own radius, and a kernel for it (`Coverage.mark(discAround:)`);
/// this is the plain rule for the few discs of another size: of adopted regions and of privacy
/// zones.
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
    // The box is the ellipsoid's, whose distances differ from the sphere's by less than 1 %.
    bounds = BoundingBox(around: center, radiusMeters: radiusMeters * 1.01)
    box = CellBox(grid: grid, box: bounds)
  }

  /// Keys between which the tiles lie that can have cells of the disc, and others too; nil for
  /// none.
  var tileKeys: ClosedRange<Int64>? { box.tileKeys }

  /// The cells of a tile that lie in the disc.
  ///
  /// - Complexity: O(cells of the tile in the box around the disc), two sines each.
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
