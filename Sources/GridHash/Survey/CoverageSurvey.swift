import Geodesy

/// The shapes of a coverage.
package struct CoverageShapes: Sendable {
  /// The smallest box around the explored cells, as ``Coverage/bounds``.
  package let bounds: BoundingBox?
  /// The number of cells of the frontier (``Coverage/frontier``).
  package let frontierCount: Int
  /// The first cells of the frontier, by row and then by column, up to the requested limit.
  package let firstFrontierCells: [Cell]
  /// The cells of the frontier nearest to a point, as ``Coverage/nearestFrontier(to:limit:in:)``.
  package let nearestFrontier: [FrontierCell]
  /// The largest square, as ``Coverage/largestSquare``.
  package let largestSquare: CellSquare?
  /// The largest cluster, as ``Coverage/largestCluster``.
  package let largestCluster: CellCluster?
}

/// Finds the shapes of a coverage that is stored elsewhere, such as in a database, from its tiles.
///
/// With a box, the survey treats everything outside of it as unexplored. The exception is the
/// frontier: it is the part of the whole coverage's frontier that lies in the box.
///
/// - Memory: one row of tiles (`TileRow`), a few rows of runs and the requested cells. It does not
///   grow with the coverage.
package struct CoverageSurvey: Sendable {
  private let grid: Grid
  private let box: CellBox?
  private var tileRow = -1
  /// The tiles of the current row of tiles, and their parts in the box.
  private var all = TileRow()
  private var inside = TileRow()

  private var bounds: BoundsTally
  private var frontier: FrontierTally
  private var square: LargestSquareSearch
  private var clusters: Clusters
  private var windows: RowWindowFeed
  private var windowsInside: RowWindowFeed

  /// Creates a survey without tiles.
  ///
  /// - Parameters:
  ///   - grid: the grid of the coverage.
  ///   - box: includes only cells in it; nil for all.
  ///   - frontierLimit: the maximum number of frontier cells to list.
  ///   - center: lists those nearest to this point; nil for the first by row and column.
  /// - Precondition: the box has the same grid.
  package init(
    grid: Grid, in box: CellBox? = nil, frontierLimit: Int = 0,
    nearestTo center: Coordinate? = nil
  ) {
    precondition(box.map { $0.grid == grid } ?? true, "cells of two grids")
    self.grid = grid
    self.box = box
    bounds = BoundsTally(grid: grid)
    frontier = FrontierTally(grid: grid, box: box, limit: frontierLimit, center: center)
    square = LargestSquareSearch(columnCount: Int32(grid.columnCount))
    clusters = Clusters(columnCount: Int32(grid.columnCount))
    windows = RowWindowFeed(rowCount: grid.rowCount)
    windowsInside = windows
  }

  /// Adds a tile and returns the part of it that lies in the box.
  ///
  /// - Precondition: keys ascend from call to call, and the grid accepts the tile
  ///   (``Grid/accepts(_:at:)``).
  @discardableResult
  package mutating func add(_ tile: Tile, at key: Int64) -> Tile {
    let (row, column) = Int(key).quotientAndRemainder(dividingBy: grid.tileColumnCount)
    if row != tileRow {
      finishTileRow()
      tileRow = row
    }
    all.append(tile, tileColumn: column)
    guard let box else {
      bounds.add(tile, tileRow: row, tileColumn: column)
      return tile
    }
    let clipped = box.clipped(tile, at: key)
    inside.append(clipped, tileColumn: column)
    bounds.add(clipped, tileRow: row, tileColumn: column)
    return clipped
  }

  /// Ends the survey and returns the shapes.
  package mutating func finish() -> CoverageShapes {
    finishTileRow()
    for window in windows.finish() { take(window) }
    for window in windowsInside.finish() { clusters.add(row: window.row, window.core(of: grid)) }
    return CoverageShapes(
      bounds: bounds.bounds, frontierCount: frontier.count, firstFrontierCells: frontier.first,
      nearestFrontier: frontier.nearest?.cells ?? [], largestSquare: square.best,
      largestCluster: clusters.finish())
  }

  private mutating func finishTileRow() {
    for row in 0..<64 {
      let runs = all.runs(row: row)
      if runs.isEmpty { continue }
      for window in windows.add(row: tileRow << 6 + row, runs) { take(window) }
      if box == nil {
        square.add(row: tileRow << 6 + row, runs)
        continue
      }
      let runsInside = inside.runs(row: row)
      if runsInside.isEmpty { continue }
      square.add(row: tileRow << 6 + row, runsInside)
      for window in windowsInside.add(row: tileRow << 6 + row, runsInside) {
        clusters.add(row: window.row, window.core(of: grid))
      }
    }
    all.removeAll()
    inside.removeAll()
  }

  /// Adds a row of the whole coverage: to the frontier always, to the clusters only if there is no
  /// box.
  private mutating func take(_ window: RowWindow) {
    frontier.add(window)
    if box == nil { clusters.add(row: window.row, window.core(of: grid)) }
  }
}
