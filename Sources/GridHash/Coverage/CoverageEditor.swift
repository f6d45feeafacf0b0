import Geodesy

/// Adds to a coverage that is stored elsewhere, such as in a database with one blob per tile. Holds
/// in memory only what was touched since the last flush.
///
/// Explore fixes as they arrive. Whenever ``needsFlush`` is true, and at the end, call
/// ``flush(load:save:)``, which reads each touched tile once, in order of keys, and writes back
/// those that changed. Marking does not access the store, so it runs at full speed.
///
/// ```swift
/// var tiles: [Int64: Tile] = [:]  // stands for the database
/// var editor = CoverageEditor(grid: .standard)
/// var newCells = 0
/// for await fix in receiver {
///   editor.mark(discAround: fix.coordinate)
///   guard editor.needsFlush else { continue }
///   newCells += editor.flush(load: { tiles[$0] }, save: { tiles[$0] = $1 }).count
/// }
/// newCells += editor.flush(load: { tiles[$0] }, save: { tiles[$0] = $1 }).count
/// ```
package struct CoverageEditor: Sendable {
  /// The cells explored since the last flush.
  package private(set) var pending: Coverage
  /// The number of tiles of bits, 512 bytes each, at which ``needsFlush`` becomes true. Quarters of
  /// tiles are stored, and counted as quarters.
  package let maximumTiles: Int

  /// Creates an editor for a coverage of `grid`. The default of 16 384 tiles is 8 MiB of bits.
  package init(grid: Grid, maximumTiles: Int = 16_384) {
    pending = Coverage(grid: grid)
    self.maximumTiles = maximumTiles
  }

  /// True if enough tiles were touched that their memory should be flushed.
  package var needsFlush: Bool {
    pending.table.state.pointee.count >= maximumTiles * TileTable.bands
  }

  /// Explores the disc around a kept fix.
  package mutating func mark(discAround coordinate: Coordinate) {
    pending.mark(discAround: coordinate)
  }

  /// Explores the discs around kept fixes.
  package mutating func mark(contentsOf coordinates: UnsafeBufferPointer<Coordinate>) {
    pending.mark(contentsOf: coordinates)
  }

  /// Adds cells from another source: the app's hashes, a coverage file.
  ///
  /// - Precondition: both have the same grid.
  package mutating func add(_ coverage: Coverage) { pending.formUnion(coverage) }

  /// Merges the pending cells into the stored ones. Returns the cells that the store did not have.
  ///
  /// - Parameters:
  ///   - load: returns the stored tile at a key, nil if there is none.
  ///   - save: stores a tile. Called only for tiles that changed.
  /// - Throws: any error of `load` and `save`. Everything is then still pending, so the flush can
  ///   be repeated after the store has rolled back. (Without a rollback it can be repeated too,
  ///   since adding twice changes nothing, but cells that were saved no longer count as new.)
  package mutating func flush<Failure: Error>(
    load: (_ key: Int64) throws(Failure) -> Tile?,
    save: (_ key: Int64, _ tile: Tile) throws(Failure) -> Void
  ) throws(Failure) -> Coverage {
    var new = Coverage(grid: pending.grid)
    for (key, tile) in pending.tiles {
      let stored = try load(key) ?? Tile()
      let fresh = tile.subtracting(stored)
      if fresh.isEmpty { continue }
      try save(key, stored.union(tile))
      new.insert(fresh, at: key)
    }
    pending = Coverage(grid: pending.grid)
    return new
  }
}
