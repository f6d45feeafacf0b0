import Geodesy
import GridHash
import SQLiteLayer

/// Changes regions, visits and coverage as the removal of fixes asks for, and only there. What
/// comes out is what a rebuild would give.
struct DerivedUpdate {
  private let session: WriteSession
  private let removed: [Coordinate]
  private let left: [Coordinate]
  private let regions: RegionReplay.Result

  private var connection: Connection { session.connection }

  /// Works out what changes, before anything is deleted.
  ///
  /// - Parameter loader: what reads the fixes that are to be removed, and those near them.
  /// - Returns: nil where a rebuild is quicker, or needed: many fixes are near, or regions are not
  ///   what the fixes give.
  /// - Complexity: O(fixes near the removed ones), and near regions that change on their account.
  init?(_ loader: FixLoader, in session: WriteSession) throws(DatabaseError) {
    let settings = session.settings
    let limit = session.options.replayedFixLimit
    guard settings[.clusteringRadiusMeters] >= RegionID.cellDiagonalMeters, !loader.isBeyondLimit,
      let adopted = try AdoptedRegions.states(
        in: session.connection, settings: settings, atMost: limit)
    else { return nil }
    var replay = RegionReplay(
      stored: try StoredRegions(connection: session.connection), settings: settings,
      area: loader.area, adopted: adopted)
    var left: [Coordinate] = []
    let regions = try replay.run { (area) throws(DatabaseError) in
      let fixes = try loader.load(&area)
      left = fixes?.filter { !$0.isRemoved }.map(\.coordinate) ?? []
      return fixes
    }
    guard let regions else { return nil }
    (self.session, self.left, self.regions) = (session, left, regions)
    removed = loader.removedPositions
  }

  /// How far from a removed fix others may change on its account, in meters, at first.
  static func reachMeters(_ settings: StoreSettings) -> Double {
    max(RegionReplay.startingReachMeters(settings), CoverageRemoval.reachMeters(settings))
  }

  /// Carries it out, after the fixes were deleted.
  ///
  /// - Parameter size: what the store had before.
  /// - Returns: what it has then.
  func carryOut(
    _ size: MaintenanceReport.Size
  ) throws(DatabaseError) -> MaintenanceReport.Size {
    let visits = try replaceRegions()
    var gone = Coverage(grid: session.settings.grid)
    for position in removed { gone.mark(discAround: position) }
    let coverage = CoverageRemoval(
      connection: connection, changes: session.changes, settings: session.settings)
    let cells = try coverage.takeOut(gone, leaving: left)
    let regionsAdded = regions.regions.count(where: \.isNew) - regions.replaced.count
    return MaintenanceReport.Size(
      visitedRegions: size.visitedRegions + regionsAdded, visits: size.visits + visits,
      cells: size.cells - cells)
  }

  /// Replaces the regions; returns how many visits there are more.
  private func replaceRegions() throws(DatabaseError) -> Int {
    let kept = regions.regions.filter { !$0.isNew }.map(\.id)
    var visits = -(try visitCount(of: regions.replaced.map(\.id) + kept))
    var places = LostPlaces()
    let delete = try connection.cached("DELETE FROM regions WHERE id = ?1")
    for region in regions.replaced {
      try places.add(region.id, in: connection)
      delete.bind(region.id, at: 1)
      try delete.run(changing: 1)
      session.changes.add(region.center)
    }
    let rows = try RegionRows(
      connection: connection,
      radiusMeters: Int64(session.settings[.explorationRadiusMeters]),
      places: session.options.placeNames)
    for start in stride(from: 0, to: regions.regions.count, by: RegionRows.capacity) {
      let end = min(regions.regions.count, start + RegionRows.capacity)
      try rows.write(ArraySlice(start..<end), of: regions.regions)
    }
    for region in regions.regions { session.changes.add(region.center) }
    try places.delete(in: connection)
    visits += try visitCount(of: kept)
    for region in regions.regions where region.isNew { visits += max(1, region.visits?.count ?? 0) }
    return visits
  }

  /// The visits of some regions, by their rows.
  private func visitCount(of ids: [Int64]) throws(DatabaseError) -> Int {
    let select = try connection.cached("SELECT visit_count FROM regions WHERE id = ?1")
    var sum = 0
    for id in ids {
      select.bind(id, at: 1)
      if try select.step() {
        sum += try select.int(at: 0, in: StoredRange.regionVisits, of: "regions, row \(id)")
      }
      select.reset()
    }
    return sum
  }
}

extension WriteSession {
  /// What reads the fixes that are to be removed, and those near them.
  func loader(removing removed: RemovedFixes) throws(DatabaseError) -> FixLoader {
    try FixLoader(
      connection, removing: removed, reachMeters: DerivedUpdate.reachMeters(settings),
      atMost: options.replayedFixLimit)
  }

  /// What the removal of fixes changes; nil where a rebuild is to take its place.
  func derivedUpdate(
    _ loader: () throws(DatabaseError) -> FixLoader
  ) throws(DatabaseError) -> DerivedUpdate? {
    do {
      return try DerivedUpdate(loader(), in: self)
    } catch {
      // What is derived cannot be read: a rebuild mends it. It fails where the truth cannot be.
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// Carries an update out, or rebuilds where there is none, or where it meets damage.
  ///
  /// - Parameter size: what the store had before.
  /// - Returns: what it has then.
  func carryOut(
    _ update: DerivedUpdate?, from size: MaintenanceReport.Size
  ) throws(DatabaseError) -> MaintenanceReport.Size {
    do {
      if let update { return try update.carryOut(size) }
    } catch {
      // Rows that are there and should not be are damage as well.
      guard error.isDamage || error.isConstraint else { throw error }
    }
    try rebuild()
    return try connection.derivedSize()
  }
}
