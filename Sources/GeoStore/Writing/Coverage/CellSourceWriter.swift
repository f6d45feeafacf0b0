import GridHash
import SQLiteLayer

/// Writes one source that has cells but no fixes, such as a coverage file, inside a write
/// transaction. The store keeps the cells with the source, and ``WriteSession/rebuild()`` adds them
/// again.
///
/// Memory is bounded by one tile and SQLite's page cache (`Connection.writerCacheBytes`).
package final class CellSourceWriter {
  private let session: WriteSession
  private let connection: Connection
  private let grid: Grid
  private let sourceID: Int64
  private var lastKey: Int64 = -1
  private var tileCount = 0
  private var changes = SourceChanges()
  /// The cells that privacy zones keep out.
  private let withheld: WithheldCells

  init(_ session: WriteSession, grid: Grid) throws(DatabaseError) {
    self.session = session
    connection = session.connection
    self.grid = grid
    sourceID = try connection.nextSourceID()
    withheld = WithheldCells(zones: try session.zones(), grid: grid)
  }

  /// Stores a tile; an empty tile is skipped. Cells that could have been explored from inside a
  /// privacy zone are left out.
  ///
  /// - Precondition: keys ascend from call to call, and the tile lies on the grid
  ///   (`Grid.accepts(_:at:)`).
  package func append(_ tile: Tile, at key: Int64) throws(DatabaseError) {
    precondition(
      key > lastKey && grid.accepts(tile, at: key), "tiles must ascend, and be of the grid")
    lastKey = key
    let given = tile.count
    let tile = withheld.outside(tile, at: key)
    changes.withheld += given - tile.count
    if tile.isEmpty { return }
    let insert = try connection.cached(
      "INSERT INTO source_tiles (source_id, key, cells, bits) VALUES (?1, ?2, ?3, ?4)")
    insert.bind(sourceID, at: 1)
    insert.bind(key, at: 2)
    insert.bind(Int64(tile.count), at: 3)
    insert.bind(tile.serialized(), at: 4)
    try insert.run(changing: 1)
    tileCount += 1
    if tileCount % 512 == 0 { try connection.trimCache() }
    let new = try connection.joinCoverageTile(tile, at: key)
    if !new.isEmpty { session.changes.addCoverage(tile: key) }
    changes.cellsAdded += new.count
    changes.areaAddedSquareKilometers += grid.areaSquareMeters(of: new, at: key) / 1e6
  }

  /// Number of cells left out so far because they could have been explored from inside a privacy
  /// zone.
  package var withheldCount: Int { changes.withheld }

  /// Ends the source: writes its row.
  ///
  /// - Throws: `DatabaseError`, also if a source with the same SHA-256 is already in the store;
  ///   call ``WriteSession/hasSource(sha256:)`` first.
  package func finish(_ description: SourceDescription) throws(DatabaseError) -> SourceChanges {
    var description = description
    if changes.withheld > 0 { description.isWithheld = true }
    try connection.insertSource(
      description, id: sourceID, kept: 0, importedAt: session.options.now())
    session.change?.add(changes, ofSource: sourceID)
    return changes
  }
}

extension WriteSession {
  /// Starts a source that has cells of `grid` but no fixes. Add tiles with
  /// ``CellSourceWriter/append(_:at:)`` and end it with ``CellSourceWriter/finish(_:)``.
  ///
  /// - Throws: ``StoreError/gridMismatch(path:radiusMeters:storeRadiusMeters:)`` if the store's
  ///   exploration radius has another grid: cells cannot be converted to another grid.
  package func beginCellSource(grid: Grid) throws -> CellSourceWriter {
    try settings.check(grid, path: connection.path)
    return try CellSourceWriter(self, grid: grid)
  }
}
