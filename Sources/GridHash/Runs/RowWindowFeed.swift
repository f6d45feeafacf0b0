/// A row that has cells, or a neighbor with cells, with both its neighbors.
struct RowWindow: Sendable {
  let row: Int
  let below: Runs
  let middle: Runs
  let above: Runs

  /// The unexplored cells that share an edge with an explored one.
  func frontier(columnCount: Int32) -> Runs {
    let near = RunAlgebra.union(
      RunAlgebra.union(below, above), RunAlgebra.grown(middle, columnCount: columnCount))
    return RunAlgebra.difference(near, middle)
  }

  /// The explored cells whose neighbors are all explored. Nothing lies beyond a pole, so a cell
  /// there lacks no neighbor.
  func core(of grid: Grid) -> Runs {
    var core = RunAlgebra.shrunk(middle, columnCount: Int32(grid.columnCount))
    if row > 0 { core = RunAlgebra.intersection(core, below) }
    if row < grid.rowCount - 1 { core = RunAlgebra.intersection(core, above) }
    return core
  }
}

/// Creates windows from rows that are added from south to north.
struct RowWindowFeed: Sendable {
  private let rowCount: Int
  /// The last row with cells, and the row below it.
  private var last: (row: Int, runs: Runs)?
  private var below: Runs = []

  init(rowCount: Int) { self.rowCount = rowCount }

  /// Adds the next row with cells and returns the windows that it completes.
  mutating func add(row: Int, _ runs: Runs) -> [RowWindow] {
    var windows: [RowWindow] = []
    if let last, last.row == row - 1 {
      windows.append(RowWindow(row: last.row, below: below, middle: last.runs, above: runs))
      below = last.runs
    } else {
      let isOneBetween = last?.row == row - 2
      windows = finish(rowAboveNext: isOneBetween ? runs : [])
      if row > 0, !isOneBetween {
        windows.append(RowWindow(row: row - 1, below: [], middle: [], above: runs))
      }
      below = []
    }
    last = (row, runs)
    return windows
  }

  /// Ends the rows and returns the last windows.
  mutating func finish() -> [RowWindow] { finish(rowAboveNext: []) }

  /// The window of the last row, and of the one above it, which has no cells.
  private mutating func finish(rowAboveNext above: Runs) -> [RowWindow] {
    guard let last else { return [] }
    self.last = nil
    var windows = [RowWindow(row: last.row, below: below, middle: last.runs, above: [])]
    if last.row + 1 < rowCount {
      windows.append(RowWindow(row: last.row + 1, below: last.runs, middle: [], above: above))
    }
    return windows
  }
}
