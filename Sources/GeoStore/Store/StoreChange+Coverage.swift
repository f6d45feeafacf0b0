import Geodesy
import GridHash

extension StoreChange {
  /// Adds the areas that contain tiles of coverage. If there are more than ``maximumCount``, as
  /// with cells of several kilometers, they are not listed.
  mutating func add(coverageTiles keys: Set<Int64>, of grid: Grid) {
    for key in keys {
      let areas = Self.areas(ofTile: key, of: grid)
      guard let areas, self.areas.count + areas.count <= Self.maximumCount else {
        isIncomplete = true
        return
      }
      self.areas.formUnion(areas)
    }
  }

  /// Returns the areas that a tile touches; nil if there are more than ``maximumCount``.
  private static func areas(ofTile key: Int64, of grid: Grid) -> [Geohash]? {
    let edges = grid.tileBounds(key)
    let box = try? BoundingBox(
      south: edges.southDegrees, west: edges.westDegrees, north: edges.northDegrees,
      east: edges.eastDegrees)
    guard let box else { return nil }
    let length = RegionChanges.tileLength
    let cover = Geohash.Cover(of: box, length: length)
    guard cover.count <= maximumCount else { return nil }
    return cover.rows.flatMap { row in
      cover.columns.joined().map { Geohash(column: $0, row: row, length: length) }
    }
  }
}
