import Geodesy
import GeoStore

// The queries of `Explorer` for async code. Each runs on its own thread. When its task is canceled,
// SQLite stops within milliseconds and the call throws `CancellationError`.
extension Explorer {
  /// Reads from one unchanging state of the store.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and any error that `body` throws.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> T
  ) async throws -> T {
    try await store.read(body)
  }

  /// The visited regions whose center lies within a radius (inclusive) of a point, nearest first.
  public func regions(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) async throws -> [RegionMatch] {
    try await blocking { try $0.regions(near: center, radiusMeters: radiusMeters, limit: limit) }
  }

  /// The N nearest visited regions at any distance, nearest first.
  public func nearestRegions(to center: Coordinate, count: Int) async throws -> [RegionMatch] {
    try await blocking { try $0.nearestRegions(to: center, count: count) }
  }

  /// The visited regions whose center lies in a box, ordered by id. The box may cross ±180°.
  public func regions(in box: BoundingBox, limit: Int? = nil) async throws -> [VisitedRegion] {
    try await blocking { try $0.regions(in: box, limit: limit) }
  }

  /// The visited regions that match a query, ordered by id. To get the next page, pass the last id
  /// as `after`.
  public func regions(
    matching query: RegionQuery, after: Int64? = nil, limit: Int? = nil
  ) async throws -> [VisitedRegion] {
    try await blocking { try $0.regions(matching: query, after: after, limit: limit) }
  }

  /// The number of visited regions that match a query.
  public func countRegions(matching query: RegionQuery) async throws -> Int {
    try await blocking { try $0.countRegions(matching: query) }
  }

  /// The statistics of the store.
  public func statistics(by breakdowns: Set<Breakdown> = []) async throws -> Statistics {
    try await blocking { try $0.statistics(by: breakdowns) }
  }

  /// The statistics of a part of the store.
  public func statistics(_ query: StatisticsQuery) async throws -> Statistics {
    try await blocking { try $0.statistics(query) }
  }

  /// The coverage in one state of the store.
  public func coverageReport(
    _ query: CoverageQuery = CoverageQuery()
  ) async throws -> CoverageReport {
    try await blocking { try $0.coverageReport(query) }
  }

  /// The store's sources, in the order of import.
  public func sources() async throws -> [StoredSource] { try await blocking { try $0.sources() } }

  /// The sources that cover the same time, and for how long.
  public func overlaps() async throws -> SourceOverlaps { try await blocking { try $0.overlaps() } }

  /// The store's settings.
  public func settings() async throws -> StoreSettings { try await blocking { try $0.settings() } }

  /// The visited countries, regions or cities, with the visits to them.
  public func placeVisits(by level: PlaceLevel) async throws -> [PlaceVisit] {
    try await blocking { try $0.placeVisits(by: level) }
  }

  /// Deletes all data in a privacy zone from every source
  /// (``forget(near:radiusMeters:isDryRun:)``).
  public func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) async throws -> MaintenanceReport {
    try await blocking {
      try $0.forget(near: center, radiusMeters: radiusMeters, isDryRun: isDryRun)
    }
  }

  /// Forgets sources by their numbers and erases their data from the store's files.
  public func forget(
    sources ids: [StoredSource.ID], isDryRun: Bool = false
  ) async throws -> MaintenanceReport {
    try await blocking { try $0.forget(sources: ids, isDryRun: isDryRun) }
  }

  /// What a change of settings would rebuild, and what it could not redo
  /// (``previewSettings(_:)``).
  public func previewSettings(
    _ change: @escaping @Sendable (inout StoreSettings) -> Void
  ) async throws -> SettingsImpact {
    try await blocking { try $0.previewSettings(change) }
  }

  /// Changes settings, all or none (``changeSettings(_:)``).
  @discardableResult
  public func changeSettings(
    _ change: @escaping @Sendable (inout StoreSettings) -> Void
  ) async throws -> SettingsImpact {
    try await blocking { try $0.changeSettings(change) }
  }

  /// Rebuilds regions, visits and coverage from the sources (``rebuild(changing:)``).
  public func rebuild(
    changing values: [SettingKey: Double] = [:]
  ) async throws -> MaintenanceReport {
    try await blocking { try $0.rebuild(changing: values) }
  }

  /// Checks the store (``check(isQuick:)``).
  public func check(isQuick: Bool = false) async throws -> StoreCheck {
    try await blocking { try $0.check(isQuick: isQuick) }
  }

  /// Writes in one transaction. If `body` throws, nothing is changed.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and any error that `body` throws.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws -> T
  ) async throws -> T {
    try await store.write(body)
  }

  /// Copies the current state of the store to a file while imports continue. Returns the size of
  /// the file in bytes.
  @discardableResult
  public func backup(to path: String, replacing isReplacing: Bool = false) async throws -> Int {
    try await blocking { try $0.backup(to: path, replacing: isReplacing) }
  }

  /// Exports the visited regions to a database of the Roqua app
  /// (``exportAppDatabase(to:replacing:progress:)``).
  ///
  /// - Throws: `CancellationError` or `DatabaseError`; no new file is left behind.
  @discardableResult
  public func exportAppDatabase(
    to path: String, replacing isReplacing: Bool = false
  ) async throws -> AppDatabaseExport {
    try await blocking { try $0.exportAppDatabase(to: path, replacing: isReplacing) }
  }

  /// Writes a picture of the explored area
  /// (``writePicture(to:options:of:replacing:)``).
  ///
  /// - Throws: `CancellationError` or `DatabaseError`; no new file is left behind.
  @discardableResult
  public func writePicture(
    to path: String, options: PictureOptions = PictureOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) async throws -> PictureReport {
    try await blocking {
      try $0.writePicture(to: path, options: options, of: query, replacing: isReplacing)
    }
  }

  /// Runs a blocking call on a thread of its own.
  func blocking<T: Sendable>(
    _ body: @escaping @Sendable (Explorer) throws -> T
  ) async throws -> T {
    try await Store.onThread { _ in try body(self) }
  }
}
