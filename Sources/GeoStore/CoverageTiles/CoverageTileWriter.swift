import Geodesy
import GridHash

/// Adds what kept fixes explore to the stored coverage, inside a write transaction of its connection.
///
/// Memory is bounded by the editor's tiles, and only tiles that change are written.
final class CoverageTileWriter {
  /// Tiles of bits in memory before they are written and forgotten: 1.2 MB with what finds them, and as much again
  /// while they are. As many quarters lie along 9,000 to 12,000 km of straight road (`docs/growth.md`: 698 to 873 on
  /// 1,000 km).
  private static let maximumTiles = 2_048

  private let connection: Connection
  private var editor: CoverageEditor
  private(set) var added = CoverageGain()

  init(connection: Connection, settings: StoreSettings) throws(StoreError) {
    self.connection = connection
    editor = CoverageEditor(grid: try settings.grid(), maximumTiles: Self.maximumTiles)
  }

  /// Starts counting what is new anew.
  func startCounting() { added = CoverageGain() }

  /// Marks the discs around some fixes.
  func take(_ fixes: some Sequence<KeptFix>) throws(StoreError) {
    for fix in fixes { editor.mark(discAround: fix.coordinate) }
    if editor.needsFlush { try flush() }
  }

  /// Marks the disc of a region that a source brought, with its own radius.
  func take(_ region: SourceRegion, settings: StoreSettings) throws(StoreError) {
    let own = settings[.explorationRadiusMeters]
    if let radius = region.radiusMeters, Double(radius) != own {
      editor.add(
        CellDisc(grid: try settings.grid(), center: region.center, radiusMeters: Double(radius)).coverage)
    } else {
      editor.mark(discAround: region.center)
    }
    if editor.needsFlush { try flush() }
  }

  /// Joins what was marked with the store.
  func flush() throws(StoreError) {
    let new = try editor.flush { (key) throws(StoreError) in
      try connection.coverageTile(at: key)
    } save: { (key, tile) throws(StoreError) in
      try connection.writeCoverageTile(tile, at: key)
    }
    added += CoverageGain(cells: new.count, areaSquareMeters: new.areaSquareMeters)
  }
}

extension StoreSettings {
  /// The grid that the exploration radius gives.
  public func grid() throws(StoreError) -> Grid {
    do {
      return try Grid(explorationRadiusMeters: self[.explorationRadiusMeters])
    } catch {
      throw .setting(
        key: SettingKey.explorationRadiusMeters.rawValue, reason: "gives no grid of cells")
    }
  }
}
