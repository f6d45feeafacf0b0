import Geodesy
import GridHash
import SQLiteLayer

/// Adds the cells explored by kept fixes to the stored coverage, inside a write transaction of its
/// connection.
///
/// Memory is bounded by the editor's tiles and a few stored ones, and only tiles that change are
/// written.
///
/// While the editor is flushed only the stored tiles are used, so accesses cannot overlap
/// (`@exclusivity(unchecked)`). Run-time checks would noticeably slow down each recorded fix.
final class CoverageTileWriter {
  /// Maximum number of tiles of bits in memory before they are written and dropped: 1.2 MB with
  /// their index, and twice that while they are written. Counted in bands, a straight road of 9,000
  /// to 12,000 km fills them (`docs/growth.md`: 698 to 873 bands on 1,000 km).
  private static let maximumTiles = 2_048

  /// Maximum number of stored tiles kept in memory: those around a recording's present and recent
  /// positions. 8 kB of bits.
  private static let maximumStoredTiles = 16

  private let connection: Connection
  private let changes: RegionChanges?
  @exclusivity(unchecked) private var stored: [Int64: Tile] = [:]
  @exclusivity(unchecked) private var editor: CoverageEditor
  @exclusivity(unchecked) private(set) var added = CoverageGain()

  /// Creates a writer into a database.
  ///
  /// - Parameter changes: collects the tiles that change; nil if everything changes.
  init(
    connection: Connection, changes: RegionChanges?, settings: StoreSettings
  ) throws(DatabaseError) {
    self.connection = connection
    self.changes = changes
    editor = CoverageEditor(grid: settings.grid, maximumTiles: Self.maximumTiles)
  }

  /// Restarts the count of new cells.
  func startCounting() { added = CoverageGain() }

  /// Marks the discs around fixes.
  func take(_ fixes: some Sequence<KeptFix>) throws(DatabaseError) {
    for fix in fixes { editor.mark(discAround: fix.coordinate) }
    if editor.needsFlush { try flush() }
  }

  /// Marks the disc of a region that came with a source, with its own radius.
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

  /// Merges the marked cells into the store.
  ///
  /// - Parameter keepingTiles: whether the tiles stay in memory for the next call. While they do,
  ///   no other writer may change the coverage.
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
