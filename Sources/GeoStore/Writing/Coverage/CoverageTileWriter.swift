import Geodesy
import GridHash
import SQLiteLayer

/// Adds what kept fixes explore to the stored coverage, inside a write transaction of its
/// connection.
///
/// Memory is bounded by the editor's tiles and a few of the store's, and only tiles that change are
/// written.
///
/// While the editor is flushed only the stored tiles are used, so accesses cannot overlap
/// (`@exclusivity(unchecked)`); checks at run time are what a recorded fix would notice.
final class CoverageTileWriter {
  /// Tiles of bits in memory before they are written and forgotten: 1.2 MB with what finds them,
  /// and as much again while they are. As many quarters lie along 9,000 to 12,000 km of straight
  /// road (`docs/growth.md`: 698 to 873 on 1,000 km).
  private static let maximumTiles = 2_048

  /// Tiles that are kept as they are stored, at most: where a recording is, and where it just was.
  /// 8 kB of bits.
  private static let maximumStoredTiles = 16

  private let connection: Connection
  private let changes: RegionChanges?
  @exclusivity(unchecked) private var stored: [Int64: Tile] = [:]
  @exclusivity(unchecked) private var editor: CoverageEditor
  @exclusivity(unchecked) private(set) var added = CoverageGain()

  /// Writes into a database.
  ///
  /// - Parameter changes: learns which tiles change; nil if everything does.
  init(
    connection: Connection, changes: RegionChanges?, settings: StoreSettings
  ) throws(DatabaseError) {
    self.connection = connection
    self.changes = changes
    editor = CoverageEditor(grid: settings.grid, maximumTiles: Self.maximumTiles)
  }

  /// Restarts the count of what is new.
  func startCounting() { added = CoverageGain() }

  /// Marks the discs around some fixes.
  func take(_ fixes: some Sequence<KeptFix>) throws(DatabaseError) {
    for fix in fixes { editor.mark(discAround: fix.coordinate) }
    if editor.needsFlush { try flush() }
  }

  /// Marks the disc of a region that a source brought, with its own radius.
  func take(_ region: SourceRegion, settings: StoreSettings) throws(DatabaseError) {
    let own = settings[.explorationRadiusMeters]
    if let radius = region.radiusMeters, Double(radius) != own {
      editor.add(
        CellDisc(grid: settings.grid, center: region.center, radiusMeters: Double(radius)).coverage)
    } else {
      editor.mark(discAround: region.center)
    }
    if editor.needsFlush { try flush() }
  }

  /// Joins what was marked with the store.
  ///
  /// - Parameter keepingTiles: whether the tiles stay in memory for the next time. As long as they
  ///   do, nobody else may write the coverage.
  func flush(keepingTiles: Bool = false) throws(DatabaseError) {
    let new = try editor.flush { (key) throws(DatabaseError) in
      if let tile = stored[key] { return tile }
      let tile = try connection.coverageTile(at: key)
      if keepingTiles { keep(tile ?? Tile(), at: key) }
      return tile
    } save: { (key, tile) throws(DatabaseError) in
      try connection.writeCoverageTile(tile, at: key)
      changes?.addCoverage(tile: key)
      if keepingTiles { keep(tile, at: key) }
    }
    if !keepingTiles { stored = [:] }
    added += CoverageGain(cells: new.count, areaSquareMeters: new.areaSquareMeters)
  }

  private func keep(_ tile: Tile, at key: Int64) {
    if stored.count == Self.maximumStoredTiles, stored[key] == nil {
      stored.removeAll(keepingCapacity: true)
    }
    stored[key] = tile
  }
}
