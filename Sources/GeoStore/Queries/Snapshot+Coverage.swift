import GridHash

extension Snapshot {
  /// Hands out the explored tiles in the order of their keys.
  ///
  /// - Complexity: O(tiles); memory of one tile.
  public func forEachCoverageTile(
    _ body: (Int64, Tile) throws(StoreError) -> Void
  ) throws(StoreError) {
    let select = try Statement("SELECT key, bits FROM coverage_tiles ORDER BY key", on: connection)
    while try select.step() {
      let key = select.int64(at: 0)
      let tile = try select.withBytes(at: 1) { (bytes) throws(StoreError) in
        try connection.tile(from: bytes, key: key)
      }
      try body(key, tile)
    }
  }

  /// Number of explored cells.
  ///
  /// - Complexity: O(tiles); the tiles themselves are not read.
  public func exploredCellCount() throws(StoreError) -> Int {
    Int(try connection.integer("SELECT sum(cells) FROM coverage_tiles") ?? 0)
  }

  /// All that is explored.
  ///
  /// - Complexity: O(tiles), 512 bytes of memory each.
  public func coverage() throws(StoreError) -> Coverage {
    var coverage = Coverage(grid: try settings.grid())
    try forEachCoverageTile { (key, tile) throws(StoreError) in
      guard coverage.grid.accepts(tile, at: key) else {
        throw .damaged(path: connection.path, detail: "coverage tile \(key) is not on the grid")
      }
      coverage.insert(tile, at: key)
    }
    return coverage
  }
}
