import Geodesy
import GridHash

/// Removes the cells of a source that could have been explored from inside a privacy zone.
package struct WithheldCells {
  private let discs: [CellDisc]

  /// Creates a filter for the cells of a grid.
  package init(zones: PrivacyZones, grid: Grid) {
    discs = zones.zones.map { $0.cells(on: grid) }
  }

  /// The cells of a tile that remain.
  func outside(_ tile: Tile, at key: Int64) -> Tile {
    var rest = tile
    for disc in discs where disc.tileKeys?.contains(key) ?? false {
      rest = rest.subtracting(disc.intersection(rest, at: key))
    }
    return rest
  }

  /// The cells of a coverage of the grid that remain.
  package func outside(_ coverage: Coverage) -> Coverage {
    if discs.isEmpty { return coverage }
    var rest = Coverage(grid: coverage.grid)
    for (key, tile) in coverage.tiles { rest.insert(outside(tile, at: key), at: key) }
    return rest
  }
}
