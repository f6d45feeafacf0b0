/// A point where edges of cells meet: an edge between columns and one between rows, counted from
/// 180° W and from 90° S.
package struct CellCorner: Hashable, Sendable {
  /// The number of columns west of it, 0...the number of columns.
  package let x: Int32
  /// The number of rows south of it, 0...the number of rows.
  package let y: Int32

  package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
}

/// The outline of an edge-connected set of cells: one polygon with its holes.
///
/// Cells that touch only at a corner are not connected, and ±180° connects nothing: a set that
/// crosses it has a polygon on each side. A polygon is valid as OGC Simple Features defines it:
/// where the outline comes to a corner twice, it is divided there into rings that touch.
package struct CellOutline: Hashable, Sendable {
  /// The corners of each ring: first the outer one, counterclockwise as seen with north above, then
  /// the holes, clockwise. Each ring has each of its corners once, and a corner only where it
  /// turns.
  package let rings: [[CellCorner]]
  /// The number of cells.
  package let cells: Int
  /// The area in square meters.
  package let areaSquareMeters: Double
}

extension Grid {
  /// The longitude of a corner in degrees, -180...180.
  package func longitudeDegrees(of corner: CellCorner) -> Double {
    let units = min(Int(corner.x) * explorationRadiusMillimeters, Grid.unitsAround)
    return Double(units - Grid.unitsAround / 2) / Grid.unitsPerDegree
  }

  /// The latitude of a corner in degrees, -90...90.
  package func latitudeDegrees(of corner: CellCorner) -> Double {
    let units = min(Int(corner.y) * explorationRadiusMillimeters, Grid.unitsFromPoleToPole)
    return Double(units - Grid.unitsFromPoleToPole / 2) / Grid.unitsPerDegree
  }
}

/// Outlines the cells of a coverage that is stored elsewhere, such as in a database, from its
/// tiles.
///
/// ```swift
/// var coverage = Coverage(grid: .standard)
/// coverage.mark(discAround: here)
/// var tracer = OutlineTracer(grid: coverage.grid)
/// for (key, tile) in coverage.tiles { tracer.add(tile, at: key) { print($0.cells) } }
/// tracer.finish { print($0.cells) }
/// ```
///
/// - Complexity: O(runs of cells · α + corners).
/// - Memory: a row of tiles, and 16 bytes for each corner of the outlines that are not complete;
///   8 more for those of one that is.
package struct OutlineTracer: Sendable {
  private let grid: Grid
  private var tileRow = -1
  private var tiles = TileRow()
  private var sweep: OutlineSweep

  /// Creates a tracer without tiles.
  package init(grid: Grid) {
    self.grid = grid
    sweep = OutlineSweep(grid: grid)
  }

  /// Adds a tile, and calls `body` with the outlines that are complete: those that end south of it.
  ///
  /// - Precondition: keys ascend from call to call, and the grid accepts the tile
  ///   (``Grid/accepts(_:at:)``).
  package mutating func add<Failure: Error>(
    _ tile: Tile, at key: Int64, _ body: (CellOutline) throws(Failure) -> Void
  ) throws(Failure) {
    let (row, column) = Int(key).quotientAndRemainder(dividingBy: grid.tileColumnCount)
    if row != tileRow {
      try finishTileRow(body)
      tileRow = row
    }
    tiles.append(tile, tileColumn: column)
  }

  /// Ends the tiles, and calls `body` with the outlines that are left.
  package mutating func finish<Failure: Error>(
    _ body: (CellOutline) throws(Failure) -> Void
  ) throws(Failure) {
    try finishTileRow(body)
    for outline in sweep.finish() { try body(outline) }
  }

  private mutating func finishTileRow<Failure: Error>(
    _ body: (CellOutline) throws(Failure) -> Void
  ) throws(Failure) {
    guard tileRow >= 0 else { return }
    for row in 0..<64 {
      let runs = tiles.runs(row: row)
      if runs.isEmpty { continue }
      for outline in sweep.add(row: tileRow << 6 + row, runs) { try body(outline) }
    }
    tiles.removeAll()
  }
}

extension Coverage {
  /// The outlines of the explored cells, the ones that end farthest south first.
  package var outlines: [CellOutline] {
    var outlines: [CellOutline] = []
    var sweep = OutlineSweep(grid: grid)
    for (row, runs) in CoverageRows(self) { outlines += sweep.add(row: row, runs) }
    return outlines + sweep.finish()
  }
}
