/// How much a coverage is that is kept elsewhere, such as in a database: add its tiles one by one.
///
/// - Memory: constant.
package struct CoverageSize: Sendable {
  /// Explored cells.
  package private(set) var cells = 0
  /// Tiles that hold one.
  package private(set) var tiles = 0
  private let grid: Grid
  private var area: AreaSum

  /// Nothing added yet.
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

  /// The area of the cells on the authalic sphere, in square meters: as
  /// ``Coverage/areaSquareMeters``, to the last bit.
  package var areaSquareMeters: Double { area.squareMeters }

  /// The area in square kilometers.
  package var areaSquareKilometers: Double { areaSquareMeters / 1e6 }
}
