extension Coverage {
  /// The explored cells whose center lies in a box.
  ///
  /// - Precondition: both have the same grid.
  /// - Complexity: O(tiles · log tiles).
  package func intersection(_ box: CellBox) -> Coverage {
    precondition(grid == box.grid, "cells of two grids")
    var result = Coverage(grid: grid)
    guard let keys = box.tileKeys else { return result }
    for (key, tile) in tiles where keys.contains(key) {
      result.insert(box.clipped(tile, at: key), at: key)
    }
    return result
  }
}
