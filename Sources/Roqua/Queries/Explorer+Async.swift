import Geodesy
import GeoStore

// The queries of `Explorer` for async code. Each runs on a thread of its own, and where its task is
// cancelled SQLite stops within milliseconds and the call throws `CancellationError`.
extension Explorer {
  /// Reads one unchanging state of the store.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and what `body` throws.
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

  /// The visited regions whose center lies in a box, by id. The box may cross ±180°.
  public func regions(in box: BoundingBox, limit: Int? = nil) async throws -> [VisitedRegion] {
    try await blocking { try $0.regions(in: box, limit: limit) }
  }

  /// The visited regions that match a query, by id; the next page follows the last id of this one.
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

  /// What is explored, as cells of the grid, in one state of the store.
  public func coverageReport(
    _ query: CoverageQuery = CoverageQuery()
  ) async throws -> CoverageReport {
    try await blocking { try $0.coverageReport(query) }
  }

  /// The store's sources, in the order of import.
  public func sources() async throws -> [StoredSource] { try await blocking { try $0.sources() } }

  /// The store's settings.
  public func settings() async throws -> StoreSettings { try await blocking { try $0.settings() } }

  /// Countries, regions or cities with the visits to them.
  public func placeVisits(by level: PlaceLevel) async throws -> [PlaceVisit] {
    try await blocking { try $0.placeVisits(by: level) }
  }

  /// Deletes what lies in a privacy zone from every source
  /// (``forget(near:radiusMeters:isDryRun:)``).
  public func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) async throws -> MaintenanceReport {
    try await blocking {
      try $0.forget(near: center, radiusMeters: radiusMeters, isDryRun: isDryRun)
    }
  }

  /// Forgets sources by their numbers, and erases their bytes from the store's files.
  public func forget(
    sources ids: [StoredSource.ID], isDryRun: Bool = false
  ) async throws -> MaintenanceReport {
    try await blocking { try $0.forget(sources: ids, isDryRun: isDryRun) }
  }

  /// Changes settings, all or none (``changeSettings(_:)``).
  public func changeSettings(
    _ change: @escaping @Sendable (inout StoreSettings) -> Void
  ) async throws {
    try await blocking { try $0.changeSettings(change) }
  }

  /// Derives regions, visits and coverage from the sources again (``rebuild(changing:)``).
  public func rebuild(
    changing values: [SettingKey: Double] = [:]
  ) async throws -> MaintenanceReport {
    try await blocking { try $0.rebuild(changing: values) }
  }

  /// Checks the store (``check(isQuick:)``).
  public func check(isQuick: Bool = false) async throws -> StoreCheck {
    try await blocking { try $0.check(isQuick: isQuick) }
  }

  /// Writes in one transaction: all of it or, where `body` throws, nothing.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and what `body` throws.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws -> T
  ) async throws -> T {
    try await store.write(body)
  }

  /// Copies the store, as it is at this moment, into a file, while imports go on. Returns its
  /// bytes.
  @discardableResult
  public func backup(to path: String, replacing isReplacing: Bool = false) async throws -> Int {
    try await blocking { try $0.backup(to: path, replacing: isReplacing) }
  }

  /// Writes the visited regions to a database of the Roqua app
  /// (``exportAppDatabase(to:replacing:progress:)``).
  ///
  /// - Throws: `CancellationError`, `DatabaseError`; then there is no new file.
  @discardableResult
  public func exportAppDatabase(
    to path: String, replacing isReplacing: Bool = false
  ) async throws -> AppDatabaseExport {
    try await blocking { try $0.exportAppDatabase(to: path, replacing: isReplacing) }
  }

  private func blocking<T: Sendable>(
    _ body: @escaping @Sendable (Explorer) throws -> T
  ) async throws -> T {
    try await Store.onThread { _ in try body(self) }
  }
}
