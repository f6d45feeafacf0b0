import Geodesy
import GridHash
import SQLiteLayer

extension WriteSession {
  /// Deletes from every source the data in a zone: kept fixes, regions that came with the source
  /// and whose centers lie there, and cells that came with the source and could have been explored
  /// from inside the zone. Regions, visits and coverage change only near the zone, but are rebuilt
  /// if it contains many fixes, or data that came with sources.
  ///
  /// The sources stay, with their SHA-256: importing one again changes nothing, so the zone does
  /// not fill again by itself. Their counts of kept fixes are updated, and their reports are
  /// removed. If a segment is cut, the next fix starts a new one, also in a recording in progress.
  ///
  /// - Complexity: O(kept fixes): the latitudes of all are read, and those near the zone are
  ///   assigned to regions again.
  package func forget(in zone: PrivacyZone) throws(DatabaseError) -> MaintenanceReport {
    let sources = try connection.sources()
    let before = try StoreBefore(self)
    defer { before.stop() }
    let loader = try loader(removing: .inZone(zone))
    let derived = try derivedUpdate { loader }
    let (fixes, cutSources) = try forgetFixes(in: zone, chunks: loader.removedChunks)
    let cells = try forgetCells(in: zone)
    let regions = try forgetRegions(where: zone.contains)
    var touched: [MaintenanceReport.Source] = []
    for source in sources {
      let (fixes, cells) = (fixes[source.id] ?? 0, cells[source.id] ?? 0)
      let regions = regions[source.id] ?? 0
      guard fixes > 0 || cells > 0 || regions > 0 else { continue }
      let left = MaintenanceReport.Source(
        source: source, kept: max(0, source.kept - fixes), regions: source.regions - regions,
        cells: source.cells - cells, isForgotten: false)
      try update(left, isCutAtEnd: cutSources.contains(source.id))
      touched.append(left)
      change?.sourcesChanged.insert(source.id)
    }
    var after: MaintenanceReport.Size?
    if !touched.isEmpty {
      try connection.outdateEvaluations()
      try oweErasure()
      after = try carryOut(cells.isEmpty && regions.isEmpty ? derived : nil, from: before)
    }
    let size = try before.size.value()
    return MaintenanceReport(
      sources: touched, before: size, after: after ?? size, isErased: false)
  }

  /// Deletes kept fixes from the chunks that have some in the zone. Returns the number for each
  /// source, and the sources that lost their last fix.
  private func forgetFixes(
    in zone: PrivacyZone, chunks: Set<Int64>
  ) throws(DatabaseError) -> (counts: [Int64: Int], cutSources: Set<Int64>) {
    var counts: [Int64: Int] = [:]
    // Whether the previous fix of the source was deleted. Kept for each source, since chunks of
    // other sources may lie between those of a recording.
    var cuts: [Int64: Bool] = [:]
    for chunk in try connection.chunkIDs() {
      var isCut = cuts[chunk.source] ?? false
      guard isCut || chunks.contains(chunk.id) else { continue }
      let fixes = try connection.keptFixes(inChunk: chunk.id)
      var left: [KeptFix] = []
      var isChanged = false
      for var fix in fixes {
        if zone.contains(fix.coordinate) {
          (isCut, isChanged) = (true, true)
          continue
        }
        if isCut, !fix.startsSegment { (fix.startsSegment, isChanged) = (true, true) }
        isCut = false
        left.append(fix)
      }
      cuts[chunk.source] = isCut
      guard isChanged else { continue }
      counts[chunk.source, default: 0] += fixes.count - left.count
      try connection.replaceChunk(chunk.id, with: left)
      try connection.trimCache()
    }
    return (counts, Set(cuts.filter(\.value).keys))
  }

  /// Deletes cells that came with sources. Returns the number for each source.
  private func forgetCells(in zone: PrivacyZone) throws(DatabaseError) -> [Int64: Int] {
    let cells = zone.cells(on: settings.grid)
    guard let keys = cells.tileKeys else { return [:] }
    var counts: [Int64: Int] = [:]
    for (source, key, tile) in try connection.sourceTiles(keys) {
      let inside = cells.intersection(tile, at: key)
      if inside.isEmpty { continue }
      counts[source, default: 0] += inside.count
      try connection.replaceSourceTile(tile.subtracting(inside), at: key, of: source)
    }
    return counts
  }

  /// Deletes regions that came with sources, or with one of them. Returns the number for each
  /// source.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for a row without a position on the
  ///   Earth.
  func forgetRegions(
    ofSource only: Int64? = nil, where isHidden: (Coordinate) -> Bool
  ) throws(DatabaseError) -> [Int64: Int] {
    var (counts, gone): ([Int64: Int], [Int64]) = ([:], [])
    let condition = only == nil ? "" : " WHERE source_id = ?1"
    let select = try Statement(
      "SELECT id, source_id, latitude, longitude FROM source_regions\(condition)",
      on: connection)
    if let only { select.bind(only, at: 1) }
    while try select.step() {
      let id = try select.rowID(at: 0, of: "source_regions")
      let source = try select.int64(at: 1, in: StoredRange.rowID, of: "source_regions, row \(id)")
      let center = try select.coordinate(at: 2, of: "source_regions, row \(id)")
      guard isHidden(center) else { continue }
      gone.append(id)
      counts[source, default: 0] += 1
    }
    let delete = try connection.cached("DELETE FROM source_regions WHERE id = ?1")
    for id in gone {
      delete.bind(id, at: 1)
      try delete.run()
    }
    return counts
  }

  /// Updates the row of a source to what remains. Its report is removed, because it may reveal
  /// where the source was.
  ///
  /// - Parameter isCutAtEnd: whether the last fix was deleted, so that a recording in progress
  ///   starts a segment.
  private func update(_ left: MaintenanceReport.Source, isCutAtEnd: Bool) throws(DatabaseError) {
    let update = try connection.cached(
      """
      UPDATE sources SET kept = ?2, report = '\(SourceDescription.noReport)', stays_at_end = 0,
        is_cut = max(is_cut, ?4), first_time = iif(?5, NULL, first_time),
        last_time = iif(?5, NULL, last_time), highest_m = NULL, lowest_m = NULL,
        height_steps = NULL, forgotten = ?3 + \
      CASE WHEN forgotten BETWEEN 0 AND \(StoredRange.sourceCount.upperBound)
          THEN forgotten ELSE 0 END
      WHERE id = ?1
      """)
    update.bind(left.source.id, at: 1)
    update.bind(Int64(left.kept), at: 2)
    update.bind(Int64(left.fixesDeleted + left.regionsDeleted + left.cellsDeleted), at: 3)
    update.bind(Int64(isCutAtEnd ? 1 : 0), at: 4)
    // Times of what is left show nothing of the zone; others may.
    update.bind(Int64(left.kept == 0 && left.regions == 0 ? 1 : 0), at: 5)
    try update.run()
  }
}
