import Geodesy
import GridHash
import SQLiteLayer

/// Updates regions, visits and coverage after the removal of fixes, only where they change. The
/// result equals that of a rebuild.
struct DerivedUpdate {
  private let session: WriteSession
  private let removed: [Coordinate]
  private let regions: RegionReplay.Result

  private var connection: Connection { session.connection }

  /// Computes the changes before anything is deleted.
  ///
  /// - Parameter loader: reads the fixes to be removed, and those near them.
  /// - Returns: nil if a rebuild is faster or necessary: many fixes are near, or the stored regions
  ///   are not those that the fixes give.
  /// - Complexity: O(fixes near the removed ones and near regions that change because of them).
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
    let reach = RegionReplay.reachMeters(settings)
    let regions = try replay.run { (area, orders, count) throws(DatabaseError) in
      try loader.extend(&area, along: orders, count: count, radiusMeters: reach)
      return try loader.load(&area)
    }
    guard let regions else { return nil }
    (self.session, self.regions) = (session, regions)
    removed = loader.removedPositions
  }

  /// Returns the distance in meters from a removed fix within which other fixes may be affected at
  /// first.
  static func reachMeters(_ settings: StoreSettings) -> Double {
    max(RegionReplay.reachMeters(settings), CoverageRemoval.reachMeters(settings))
  }

  /// Applies the changes, after the fixes were deleted.
  ///
  /// - Parameter placeUses: how many regions had each place before, if anybody counts them.
  /// - Returns: what the store has more than before, negative if it has less.
  func carryOut(
    placeUses: ValueBefore<PlaceUses?>? = nil
  ) throws(DatabaseError) -> MaintenanceReport.Size {
    let visits = try replaceRegions(placeUses)
    var gone = Coverage(grid: session.settings.grid)
    for position in removed { gone.mark(discAround: position) }
    let coverage = CoverageRemoval(
      connection: connection, changes: session.changes, settings: session.settings)
    let cells = try coverage.takeOut(gone, leaving: regions.remaining)
    let regionsAdded = regions.regions.count(where: \.isNew) - regions.replaced.count
    return MaintenanceReport.Size(visitedRegions: regionsAdded, visits: visits, cells: -cells)
  }

  /// Replaces the regions, and returns the increase in the number of visits.
  private func replaceRegions(
    _ placeUses: ValueBefore<PlaceUses?>?
  ) throws(DatabaseError) -> Int {
    let kept = regions.regions.filter { !$0.isNew }.map(\.id)
    var visits = -(try visitCount(of: kept))
    var places = LostPlaces()
    let delete = try connection.cached("DELETE FROM regions WHERE id = ?1")
    for region in regions.replaced {
      guard StoredRange.regionVisits.contains(region.row.visitCount) else {
        throw .damaged(path: connection.path, detail: "regions, row \(region.id)")
      }
      visits -= Int(region.row.visitCount)
      if let place = region.row.place { places.add(place, of: region.id) }
      delete.bind(region.id, at: 1)
      try delete.run(changing: 1)
      session.changes.add(region.center)
    }
    // Only regions that came with a source have stated visits and adopted times, and those regions
    // stay. But nothing of a deleted region may stay in a store that another program changed.
    for table in Schema.tablesOfRegions
    where try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table))") == 1 {
      let delete = try connection.cached("DELETE FROM \(table) WHERE region_id = ?1")
      for region in regions.replaced {
        delete.bind(region.id, at: 1)
        try delete.run()
      }
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
    try places.delete(
      in: connection, added: regions.regions.lazy.filter(\.isNew).map(\.id)
    ) { () throws(DatabaseError) in
      try placeUses?.valueIfBegun() ?? nil
    }
    placeUses?.stop()
    visits += try visitCount(of: kept)
    for region in regions.regions where region.isNew { visits += max(1, region.visits?.count ?? 0) }
    return visits
  }

  /// Returns the number of visits of some regions according to their rows.
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
  /// Returns a reader for the fixes to be removed, and those near them.
  func loader(removing removed: RemovedFixes) throws(DatabaseError) -> FixLoader {
    try FixLoader(
      connection, removing: removed, reachMeters: DerivedUpdate.reachMeters(settings),
      atMost: options.replayedFixLimit, flightsExplore: settings.flightsExplore)
  }

  /// Returns the changes caused by the removal of fixes; nil if a rebuild is needed instead.
  func derivedUpdate(
    _ loader: () throws(DatabaseError) -> FixLoader
  ) throws(DatabaseError) -> DerivedUpdate? {
    do {
      return try DerivedUpdate(loader(), in: self)
    } catch {
      // Derived data cannot be read: a rebuild fixes it, or fails if the store's own data cannot be
      // read either.
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// Applies an update. Returns what the store has more than before; nil if there is no update or
  /// it meets damage, and a rebuild is needed.
  private func change(
    _ update: DerivedUpdate?, placeUses: ValueBefore<PlaceUses?>
  ) throws(DatabaseError) -> MaintenanceReport.Size? {
    do {
      return try update?.carryOut(placeUses: placeUses)
    } catch {
      // Rows that exist but should not are damage as well.
      guard error.isDamage || error.isConstraint else { throw error }
      return nil
    }
  }

  /// Applies an update, or rebuilds if there is none or it meets damage.
  ///
  /// - Parameter before: the store before.
  /// - Returns: the size afterwards.
  func carryOut(
    _ update: DerivedUpdate?, from before: StoreBefore
  ) throws(DatabaseError) -> MaintenanceReport.Size {
    if let change = try change(update, placeUses: before.placeUses) {
      let size = try before.size.value()
      return MaintenanceReport.Size(
        visitedRegions: size.visitedRegions + change.visitedRegions,
        visits: size.visits + change.visits, cells: size.cells + change.cells)
    }
    before.placeUses.stop()
    // If it cannot be counted, the deletion fails, and a rebuild would be in vain.
    _ = try before.size.value()
    try rebuild()
    return try connection.derivedSize()
  }
}
