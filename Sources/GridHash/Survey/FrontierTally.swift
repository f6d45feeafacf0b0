import Geodesy

/// Counts the cells of a frontier and lists some of them.
struct FrontierTally: Sendable {
  private let grid: Grid
  private let box: CellBox?
  private let limit: Int
  /// The number of cells of the frontier.
  private(set) var count = 0
  /// The first cells, if requested.
  private(set) var first: [Cell] = []
  /// The cells nearest to a point, if requested.
  private(set) var nearest: NearestFrontier?

  /// Creates an empty tally.
  init(grid: Grid, box: CellBox?, limit: Int, center: Coordinate?) {
    self.grid = grid
    self.box = box
    self.limit = center == nil ? limit : 0
    nearest = center.flatMap {
      limit > 0 ? NearestFrontier(grid: grid, point: $0, limit: limit) : nil
    }
  }

  /// Adds the frontier cells in a row.
  mutating func add(_ window: RowWindow) {
    var runs = window.frontier(columnCount: Int32(grid.columnCount))
    if let box { runs = box.clipped(runs, row: window.row) }
    for run in runs {
      count += run.count
      if nearest == nil, first.count >= limit { continue }
      for column in run {
        let cell = Cell(row: Int32(window.row), column: column)
        if nearest != nil {
          nearest?.add(cell)
        } else if first.count < limit {
          first.append(cell)
        }
      }
    }
  }
}

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
