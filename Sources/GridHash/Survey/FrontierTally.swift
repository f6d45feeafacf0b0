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
