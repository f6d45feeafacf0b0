import Geodesy
import GridHash
import SQLiteLayer

/// Removes from the coverage what only removed fixes and cells had explored.
struct CoverageRemoval {
  let connection: Connection
  let changes: RegionChanges
  let settings: StoreSettings

  /// Returns the distance in meters from a removed fix within which another fix may have explored
  /// one of the same cells: the cell's center is within the exploration radius of both, measured on
  /// the sphere, whose distances differ from the ellipsoid's by less than 1 %.
  static func reachMeters(_ settings: StoreSettings) -> Double {
    2.02 * settings[.explorationRadiusMeters]
  }

  /// Writes the tiles from which cells are removed.
  ///
  /// - Parameters:
  ///   - removed: the cells that removed fixes explored.
  ///   - fixes: the remaining fixes, at least those within ``reachMeters(_:)`` of a removed one.
  /// - Returns: the number of cells removed.
  /// - Complexity: O(cells of the tiles) and O(fixes); O(adopted regions).
  func takeOut(_ removed: Coverage, leaving fixes: [Coordinate]) throws(DatabaseError) -> Int {
    var count = 0
    var left = Coverage(grid: settings.grid)
    for fix in fixes { left.mark(discAround: fix) }
    try connection.forEachSourceRegion(where: "visit_count NOTNULL") { (region, source) in
      left.explore(region, settings: settings)
    }
    for (key, tile) in removed.tiles {
      guard let stored = try connection.coverageTile(at: key) else { continue }
      var gone = tile.intersection(stored)
      if let kept = left.tile(at: key) { gone = gone.subtracting(kept) }
      if gone.isEmpty { continue }
      for brought in try connection.sourceTiles(key...key) { gone = gone.subtracting(brought.tile) }
      if gone.isEmpty { continue }
      try connection.replaceCoverageTile(stored.subtracting(gone), at: key)
      changes.addCoverage(tile: key)
      count += gone.count
    }
    return count
  }
}

extension Coverage {
  /// Marks the disc of a region that came with a source, with its own radius.
  mutating func explore(_ region: SourceRegion, settings: StoreSettings) {
    if let radius = region.radiusMeters, Double(radius) != settings[.explorationRadiusMeters] {
      formUnion(
        CellDisc(grid: settings.grid, center: region.center, radiusMeters: Double(radius)).coverage)
    } else {
      mark(discAround: region.center)
    }
  }
}

extension Connection {
  /// Overwrites a tile, or deletes it if it has no cells.
  fileprivate func replaceCoverageTile(_ tile: Tile, at key: Int64) throws(DatabaseError) {
    guard tile.isEmpty else { return try writeCoverageTile(tile, at: key) }
    let delete = try cached("DELETE FROM coverage_tiles WHERE key = ?1")
    delete.bind(key, at: 1)
    try delete.run()
  }
}
