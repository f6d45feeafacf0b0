import Geodesy
import SQLiteLayer

/// Regions, visits and coverage, kept in step with the kept fixes inside one write transaction.
///
/// Accesses cannot overlap (`@exclusivity(unchecked)`): nothing that its methods call can reach it,
/// not even the closure that names places. Checks at run time are what a recorded fix would notice.
final class DerivedTables {
  @exclusivity(unchecked) private var regions: RegionWriter
  private let coverage: CoverageTileWriter

  /// Writes into a database.
  ///
  /// - Parameter changes: learns which regions change.
  init(
    connection: Connection, changes: RegionChanges, settings: StoreSettings, options: StoreOptions
  ) throws(DatabaseError) {
    regions = try RegionWriter(
      connection: connection, changes: changes, settings: settings,
      window: RegionWindow(
        radiusMeters: settings[.clusteringRadiusMeters], denseCount: options.denseRegionCount),
      windowCapacity: options.regionWindowCapacity,
      places: options.placeNames)
    coverage = try CoverageTileWriter(
      connection: connection, changes: changes, settings: settings)
  }

  /// Takes kept fixes in, in order.
  func take(_ fixes: some Collection<KeptFix>) throws(DatabaseError) {
    try regions.take(fixes)
    try coverage.take(fixes)
  }

  /// Writes what is still in memory.
  ///
  /// - Parameter keepingWindow: whether regions and tiles stay in memory for the next fixes
  ///   (``RegionWriter/flush(keepingWindow:)``, ``CoverageTileWriter/flush(keepingTiles:)``).
  func flush(keepingWindow: Bool = false) throws(DatabaseError) {
    try regions.flush(keepingWindow: keepingWindow)
    try coverage.flush(keepingTiles: keepingWindow)
  }

  /// Restarts the counts of changes: what follows is of this source.
  ///
  /// - Parameter isContinued: whether a part of the source is in the store already.
  func startCounting(source: Int64, isContinued: Bool = false) {
    regions.startCounting(source: source, isContinued: isContinued)
    coverage.startCounting()
  }

  /// What changed since the start.
  var changes: SourceChanges {
    var changes = SourceChanges()
    changes.regionsAdded = regions.addedCount
    changes.regionsRevisited = regions.revisitedCount
    changes.cellsAdded = coverage.added.cells
    changes.areaAddedSquareKilometers = coverage.added.areaSquareMeters / 1e6
    return changes
  }
}
