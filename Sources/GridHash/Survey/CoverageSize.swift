/// Computes the size of a coverage that is stored elsewhere, such as in a database, from its tiles.
///
/// - Memory: constant.
package struct CoverageSize: Sendable {
  /// The number of explored cells.
  package private(set) var cells = 0
  /// The number of tiles that contain a cell.
  package private(set) var tiles = 0
  private let grid: Grid
  private var area: AreaSum

  /// Creates an empty tally.
  package init(grid: Grid) {
    self.grid = grid
    area = AreaSum(grid: grid)
  }

  /// Adds a tile; one without cells changes nothing.
  ///
  /// - Precondition: keys ascend from call to call, and the grid accepts the tile
  ///   (``Grid/accepts(_:at:)``).
  package mutating func add(_ tile: Tile, at key: Int64) {
    let (row, column) = Int(key).quotientAndRemainder(dividingBy: grid.tileColumnCount)
    let added = tile.withWords { area.add($0, rows: 0..<64, tileRow: row, tileColumn: column) }
    cells += added
    if added > 0 { tiles += 1 }
  }

  /// The area of the cells on the authalic sphere, in square meters. Equal to
  /// ``Coverage/areaSquareMeters`` to the last bit.
  package var areaSquareMeters: Double { area.squareMeters }

  /// The area in square kilometers.
  package var areaSquareKilometers: Double { areaSquareMeters / 1e6 }
}
