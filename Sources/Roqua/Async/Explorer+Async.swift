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

  /// Writes in one transaction. If `body` throws, nothing is changed.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`, and any error that `body` throws.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws -> T
  ) async throws -> T {
    try await store.write(body)
  }

  /// The visited regions whose center lies within a radius (inclusive) of a point, nearest first.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func regions(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) async throws -> [RegionMatch] {
    try await blocking { try $0.regions(near: center, radiusMeters: radiusMeters, limit: limit) }
  }

  /// The N nearest visited regions at any distance, nearest first.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func nearestRegions(to center: Coordinate, count: Int) async throws -> [RegionMatch] {
    try await blocking { try $0.nearestRegions(to: center, count: count) }
  }

  /// The visited regions whose center lies in a box, ordered by id. The box may cross ±180°.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func regions(in box: BoundingBox, limit: Int? = nil) async throws -> [VisitedRegion] {
    try await blocking { try $0.regions(in: box, limit: limit) }
  }

  /// The visited regions that match a query, ordered by id. To get the next page, pass the last id
  /// as `after`.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func regions(
    matching query: RegionQuery, after: Int64? = nil, limit: Int? = nil
  ) async throws -> [VisitedRegion] {
    try await blocking { try $0.regions(matching: query, after: after, limit: limit) }
  }

  /// The number of visited regions that match a query.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func countRegions(matching query: RegionQuery) async throws -> Int {
    try await blocking { try $0.countRegions(matching: query) }
  }

  /// The statistics of the store.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func statistics(by breakdowns: Set<Breakdown> = []) async throws -> Statistics {
    try await blocking { try $0.statistics(by: breakdowns) }
  }

  /// The statistics of a part of the store.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func statistics(_ query: StatisticsQuery) async throws -> Statistics {
    try await blocking { try $0.statistics(query) }
  }

  /// The coverage in one state of the store.
  ///
  /// With a box, the report treats everything outside of it as unexplored. The exception is the
  /// frontier: it is the part of the whole coverage's frontier that lies in the box. A place or a
  /// range of time also makes all other cells unexplored, and there is no frontier then.
  ///
  /// - Complexity: O(cells). Memory: one row of tiles plus the result, however much is explored;
  ///   for breakdowns by time see `statistics(by:)`.
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func coverageReport(
    _ query: CoverageQuery = CoverageQuery()
  ) async throws -> CoverageReport {
    try await blocking { try $0.coverageReport(query) }
  }

  /// The store's sources, in the order of import.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func sources() async throws -> [StoredSource] { try await blocking { try $0.sources() } }

  /// Returns which sources cover the same time, and for how long: rides recorded by two devices, or
  /// imported in two formats. Nothing of them is counted twice.
  ///
  /// ```swift
  /// let twice = try await explorer.overlaps().list.filter { $0.share > 0.9 }
  /// print("\(twice.count) sources cover nothing but the time of another")
  /// ```
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func overlaps() async throws -> SourceOverlaps { try await blocking { try $0.overlaps() } }

  /// The store's settings.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func settings() async throws -> StoreSettings { try await blocking { try $0.settings() } }

  /// The visited countries, regions or cities, with the visits to them.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func placeVisits(by level: PlaceLevel) async throws -> [PlaceVisit] {
    try await blocking { try $0.placeVisits(by: level) }
  }

  /// Deletes all data near a point from every source, for good: kept fixes within the radius
  /// (inclusive), regions of sources without fixes whose center is within it, and cells of such
  /// sources that could have been explored from inside. The sources remain known, so importing one
  /// again does not restore the data.
  ///
  /// - Parameters:
  ///   - center: the point.
  ///   - radiusMeters: the radius on the ellipsoid.
  ///   - isDryRun: true to report what would be deleted and change nothing.
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func forget(
    near center: Coordinate, radiusMeters: Double, isDryRun: Bool = false
  ) async throws -> MaintenanceReport {
    try await blocking {
      try $0.forget(near: center, radiusMeters: radiusMeters, isDryRun: isDryRun)
    }
  }

  /// Forgets sources by their numbers: the store is then as if they had never been imported, and
  /// its files no longer contain any of their data.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the sources.
  ///   - isDryRun: true to report what would be deleted and change nothing.
  /// - Throws: `StoreError.noSuchSource(path:selector:)`, in which case nothing is changed;
  ///   `CancellationError`, `DatabaseError`.
  public func forget(
    sources ids: [StoredSource.ID], isDryRun: Bool = false
  ) async throws -> MaintenanceReport {
    try await blocking { try $0.forget(sources: ids, isDryRun: isDryRun) }
  }

  /// Returns what a change of settings would rebuild, and what it could not redo. Changes nothing.
  ///
  /// ```swift
  /// let impact = try await explorer.previewSettings { $0.clusteringRadiusMeters = 100 }
  /// if impact.isRebuild { print("rebuilds \(impact.sizeBefore?.visitedRegions ?? 0) regions") }
  /// ```
  ///
  /// - Throws: `StoreError.setting(key:reason:)` if the change would throw it;
  ///   `CancellationError`, `DatabaseError`.
  /// - Complexity: O(regions) if the change rebuilds, O(kept fixes) if it decides whether flights
  ///   explore; otherwise O(sources).
  public func previewSettings(
    _ change: @escaping @Sendable (inout StoreSettings) -> Void
  ) async throws -> SettingsImpact {
    try await blocking { try $0.previewSettings(change) }
  }

  /// Changes settings, all or none (``changeSettings(_:)``).
  ///
  /// - Throws: like the form without `async`, and `CancellationError`.
  @discardableResult
  public func changeSettings(
    _ change: @escaping @Sendable (inout StoreSettings) -> Void
  ) async throws -> SettingsImpact {
    try await blocking { try $0.changeSettings(change) }
  }

  /// Rebuilds regions, visits and coverage from the sources, after a change of the settings.
  ///
  /// ```swift
  /// let report = try await explorer.rebuild { $0.visitGapMinutes = 45 }
  /// print(report.before.visits, "visits before,", report.after.visits, "now")
  /// ```
  ///
  /// - Parameter change: changes the settings; nothing by default.
  /// - Throws: `StoreError.setting(key:reason:)` if the change is refused;
  ///   `CancellationError`, `DatabaseError`.
  /// - Complexity: O(kept fixes).
  public func rebuild(
    changing change: @escaping @Sendable (inout StoreSettings) -> Void = { _ in }
  ) async throws -> MaintenanceReport {
    try await blocking { try $0.store.rebuild(changing: change) }
  }

  /// Checks the integrity of the store's file and whether its tables agree. Changes nothing.
  ///
  /// - Parameter isQuick: true to check only the file and the structure of its tables.
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func check(isQuick: Bool = false) async throws -> StoreCheck {
    try await blocking { try $0.check(isQuick: isQuick) }
  }

  /// Runs a blocking call on a thread of its own.
  func blocking<T: Sendable>(
    _ body: @escaping @Sendable (Explorer) throws -> T
  ) async throws -> T {
    try await Store.onThread { _ in try body(self) }
  }
}
