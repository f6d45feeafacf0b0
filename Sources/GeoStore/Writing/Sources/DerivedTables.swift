import Geodesy
import SQLiteLayer

/// Regions, visits and coverage, kept consistent with the kept fixes within one write transaction.
///
/// Accesses cannot overlap (`@exclusivity(unchecked)`): nothing called by its methods can reach
/// this object, not even the closure that names places. Run-time checks would noticeably slow down
/// each recorded fix.
final class DerivedTables {
  @exclusivity(unchecked) private var regions: RegionWriter
  private let coverage: CoverageTileWriter
  private let flightsExplore: Bool
  /// The settings for which the tables were made.
  let settings: StoreSettings

  /// Creates tables that write into a database.
  ///
  /// - Parameter changes: collects the regions that change.
  init(
    connection: Connection, changes: RegionChanges, settings: StoreSettings, options: StoreOptions
  ) throws(DatabaseError) {
    self.settings = settings
    regions = try RegionWriter(
      connection: connection, changes: changes, settings: settings,
      window: RegionWindow(
        radiusMeters: settings[.clusteringRadiusMeters], denseCount: options.denseRegionCount),
      windowCapacity: options.regionWindowCapacity,
      places: options.placeNames)
    coverage = try CoverageTileWriter(
      connection: connection, changes: changes, settings: settings)
    flightsExplore = settings.flightsExplore
  }

  /// Adds kept fixes, in order. Those in flight are left out unless they explore.
  func take(_ fixes: [KeptFix]) throws(DatabaseError) {
    guard !flightsExplore, fixes.contains(where: \.isInFlight) else { return try add(fixes) }
    try add(fixes.filter { !$0.isInFlight })
  }

  private func add(_ fixes: [KeptFix]) throws(DatabaseError) {
    try regions.take(fixes)
    try coverage.take(fixes)
  }

  /// Writes all pending changes.
  ///
  /// - Parameter keepingWindow: whether regions and tiles stay in memory for the next fixes
  ///   (``RegionWriter/flush(keepingWindow:)``, ``CoverageTileWriter/flush(keepingTiles:)``).
  func flush(keepingWindow: Bool = false) throws(DatabaseError) {
    try regions.flush(keepingWindow: keepingWindow)
    try coverage.flush(keepingTiles: keepingWindow)
  }

  /// Restarts the counts of changes for a source.
  ///
  /// - Parameters:
  ///   - isContinued: whether part of the source is already in the store.
  ///   - lastEntered: the region of the source's last fix, if it is continued.
  func startCounting(source: Int64, isContinued: Bool = false, lastEntered: Int64? = nil) {
    regions.startCounting(source: source, isContinued: isContinued, lastEntered: lastEntered)
    coverage.startCounting()
  }

  /// The region of the last fix of a recording.
  var lastEntered: Int64? { regions.lastEntered }

  /// Returns the regions that a recording entered since the last call.
  func takeEntered() -> [EnteredRegion] { regions.takeEntered() }

  /// Starts to note places that are reached for the first time.
  func noteReached() { regions.noteReached() }

  /// Returns the places reached for the first time since the last call, as far as their regions are
  /// written.
  func takeReached() -> [ReachedPlace] { regions.takeReached() }

  /// The changes since the start.
  var changes: SourceChanges {
    var changes = SourceChanges()
    changes.regionsAdded = regions.addedCount
    changes.regionsRevisited = regions.revisitedCount
    changes.cellsAdded = coverage.added.cells
    changes.areaAddedSquareKilometers = coverage.added.areaSquareMeters / 1e6
    return changes
  }
}
