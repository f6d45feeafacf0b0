import GeoStore
import GridHash
import SQLiteLayer

extension Snapshot {
  /// All explored area.
  ///
  /// - Complexity: O(explored tiles).
  func exploredSquareKilometers() throws(DatabaseError) -> Double {
    let grid = settings.grid
    var squareMeters = 0.0
    try forEachCoverageTile { key, tile in
      squareMeters += grid.areaSquareMeters(of: tile, at: key)
    }
    return squareMeters / 1e6
  }
}
