import Geodesy

/// Keeps the cells whose centers are nearest to a point.
///
/// - Memory: twice the requested number of cells.
struct NearestFrontier: Sendable {
  private let grid: Grid
  private let point: Coordinate
  private let limit: Int
  /// The capacity is twice the limit. When it is reached, the farther half is dropped, which costs
  /// n log n for a small n from time to time.
  private let capacity: Int
  private var gathered: [FrontierCell] = []
  /// Cells farther than this are not among the nearest.
  private var worstMeters = Double.infinity

  /// Creates an empty list.
  init(grid: Grid, point: Coordinate, limit: Int) {
    self.grid = grid
    self.point = point
    self.limit = limit
    capacity = limit > .max / 2 ? .max : 2 * limit
  }

  /// Adds a cell.
  mutating func add(_ cell: Cell) {
    guard let center = grid.centerCoordinate(of: cell) else { return }
    guard center.leastPossibleMeters(to: point) <= worstMeters else { return }
    let distance = center.distanceMeters(to: point)
    guard distance <= worstMeters else { return }
    gathered.append(FrontierCell(cell: cell, center: center, distanceMeters: distance))
    if gathered.count >= capacity { dropFarthest() }
  }

  /// The nearest cells, nearest first; ties are ordered by row and column.
  var cells: [FrontierCell] {
    var copy = self
    copy.dropFarthest()
    return copy.gathered
  }

  private mutating func dropFarthest() {
    gathered.sort { ($0.distanceMeters, $0.cell) < ($1.distanceMeters, $1.cell) }
    gathered.removeLast(max(0, gathered.count - limit))
    if gathered.count == limit, let last = gathered.last { worstMeters = last.distanceMeters }
  }
}
