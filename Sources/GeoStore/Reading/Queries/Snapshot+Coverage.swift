import Geodesy
import GridHash
import SQLiteLayer

extension Snapshot {
  /// Calls `body` with the explored tiles in the order of their keys.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for a tile that is not on the grid of
  ///   the settings, and any error that `body` throws.
  /// - Complexity: O(tiles); memory for one tile.
  package func forEachCoverageTile(
    _ body: (Int64, Tile) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let grid = settings.grid
    let select = try Statement("SELECT key, bits FROM coverage_tiles ORDER BY key", on: connection)
    while try select.step() {
      let key = select.int64(at: 0)
      let tile = try select.withBytes(at: 1) { (bytes) throws(DatabaseError) in
        try connection.tile(from: bytes, key: key)
      }
      guard grid.accepts(tile, at: key) else {
        throw select.damaged(0, of: "coverage_tiles, tile \(key)", Connection.offGrid)
      }
      try body(key, tile)
    }
  }

  /// Calls `body` with the tiles that came with sources without fixes, and the number of their
  /// source: sources in the order of their import, keys ascending.
  ///
  /// - Complexity: O(tiles); memory for one tile.
  package func forEachSourceTile(
    _ body: (_ sourceID: Int64, _ key: Int64, _ tile: Tile) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try connection.forEachSourceTile(of: settings.grid, body)
  }

  /// Returns the number of explored cells.
  ///
  /// - Complexity: O(tiles), without reading the tiles themselves.
  /// - Throws: `DatabaseError`.
  public func exploredCellCount() throws(DatabaseError) -> Int {
    try connection.sum(
      of: "cells", in: "coverage_tiles", row: "'tile ' || key", range: StoredRange.tileCells)
  }

  /// Returns all explored cells, or those in a box.
  ///
  /// - Complexity: O(tiles), with up to 580 bytes of memory for each.
  /// - Throws: `DatabaseError`.
  public func coverage(in box: BoundingBox? = nil) throws(DatabaseError) -> Coverage {
    let grid = settings.grid
    let cells = box.map { CellBox(grid: grid, box: $0) }
    var coverage = Coverage(grid: grid)
    try forEachCoverageTile { key, tile in
      coverage.insert(cells?.clipped(tile, at: key) ?? tile, at: key)
    }
    return coverage
  }

  /// Returns the cells that came with sources without fixes, and the cells explored by the regions
  /// that came with sources.
  ///
  /// - Complexity: O(tiles + regions of sources), with up to 580 bytes of memory for each tile.
  package func ownCellsOfSources() throws(DatabaseError) -> Coverage {
    let grid = settings.grid
    var coverage = Coverage(grid: grid)
    try connection.forEachSourceTile(of: grid) { _, key, tile in coverage.insert(tile, at: key) }
    try connection.forEachSourceRegion { (region, _) throws(DatabaseError) in
      let radius = region.radiusMeters.map { Double($0) } ?? grid.explorationRadiusMeters
      if radius == grid.explorationRadiusMeters {
        coverage.mark(discAround: region.center)
      } else {
        coverage.formUnion(
          CellDisc(grid: grid, center: region.center, radiusMeters: radius).coverage)
      }
    }
    return coverage
  }

  /// Writes the explored cells, or those in a box, piece by piece as the bytes of a coverage file.
  /// Equal cells give equal bytes.
  ///
  /// - Parameters:
  ///   - box: includes only cells whose centers lie in it; nil for all cells.
  ///   - select: returns the cells of a tile to include; nil for all. Called for the tiles in the
  ///     order of their keys.
  ///   - write: receives the next bytes; returning false stops the output.
  /// - Complexity: O(tiles); memory for 128 tiles.
  /// - Returns: the numbers of cells and tiles.
  package func serializeCoverage(
    in box: BoundingBox? = nil, selecting select: ((Tile, Int64) -> Tile)? = nil,
    _ write: ([UInt8]) -> Bool
  ) throws(DatabaseError) -> (cells: Int, tiles: Int) {
    let grid = settings.grid
    let cellBox = box.map { CellBox(grid: grid, box: $0) }
    var writer = CoverageWriter(grid: grid)
    var (cells, tiles) = (0, 0)
    var goesOn = true
    let meter = WorkMeter.current
    meter?.begin(
      .exportingTiles, of: Int(try connection.integer("SELECT count(*) FROM coverage_tiles") ?? 0))
    try forEachCoverageTile { (key, tile) throws(DatabaseError) in
      meter?.add(1)
      guard goesOn else { return }
      var tile = cellBox?.clipped(tile, at: key) ?? tile
      if tile.isEmpty { return }
      tile = select?(tile, key) ?? tile
      if tile.isEmpty { return }
      writer.append(tile, at: key)
      cells += tile.count
      tiles += 1
      if tiles % 128 == 0 { goesOn = write(writer.takeBytes()) }
    }
    writer.finish()
    if goesOn { _ = write(writer.takeBytes()) }
    return (cells, tiles)
  }
}
