import Geodesy
import GridHash

extension WriteSession {
  /// Takes sources back: the store is then as if they had never been imported. Regions, visits and coverage are built
  /// anew from what is left.
  ///
  /// - Parameter selectors: each a source's number, its path, or at least eight first digits of its
  ///   SHA-256: the first of these by which there is a source.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)`` and ``StoreError/ambiguousSource(path:selector:ids:)``,
  ///   before anything is changed.
  /// - Complexity: O(kept fixes that are left).
  public func forget(sources selectors: [String]) throws(StoreError) -> TakenBack {
    var found: [Int64: StoredSource] = [:]
    for selector in selectors {
      let source = try connection.source(matching: selector)
      found[source.id] = source
    }
    let before = try connection.derivedSize()
    for id in found.keys {
      // Its fixes and cells go with it, by the tables' foreign keys.
      let delete = try connection.cached("DELETE FROM sources WHERE id = ?1")
      delete.bind(id, at: 1)
      try delete.run()
    }
    if !found.isEmpty {
      try oweErasure()
      try rebuild()
    }
    let sources = found.values.sorted { $0.id < $1.id }
      .map { TakenBack.Source(source: $0, kept: 0, regions: 0, cells: 0, isForgotten: true) }
    return TakenBack(
      sources: sources, before: before, after: try connection.derivedSize(), isErased: false)
  }

  /// Takes out of every source what lies in a zone: kept fixes, the regions that sources brought themselves and whose
  /// centre lies there, and of the cells that they brought those that could have been explored from inside. Regions, visits and coverage are built anew from what is left.
  ///
  /// The sources stay, with their SHA-256: importing one again changes nothing, so the zone does not fill again by
  /// itself. Their counts of kept fixes are of what is left, and their reports lose the bounds. Where a segment is cut,
  /// the next fix starts one, also that of a recording that goes on.
  ///
  /// - Complexity: O(kept fixes).
  public func forget(in zone: PrivacyZone) throws(StoreError) -> TakenBack {
    let sources = try connection.sources()
    let before = try connection.derivedSize()
    let (fixes, cutSources) = try forgetFixes(in: zone)
    let cells = try forgetCells(in: zone)
    let regions = try forgetRegions(in: zone)
    var touched: [TakenBack.Source] = []
    for source in sources {
      let (fixes, cells) = (fixes[source.id] ?? 0, cells[source.id] ?? 0)
      let regions = regions[source.id] ?? 0
      guard fixes > 0 || cells > 0 || regions > 0 else { continue }
      let left = TakenBack.Source(
        source: source, kept: max(0, source.kept - fixes), regions: source.regions - regions,
        cells: source.cells - cells, isForgotten: false)
      try update(left, isCutAtEnd: cutSources.contains(source.id))
      touched.append(left)
    }
    if !touched.isEmpty {
      try oweErasure()
      try rebuild()
    }
    return TakenBack(
      sources: touched, before: before, after: try connection.derivedSize(), isErased: false)
  }

  /// Takes kept fixes out of their chunks; returns how many of each source, and the sources that lost their last one.
  private func forgetFixes(
    in zone: PrivacyZone
  ) throws(StoreError) -> (counts: [Int64: Int], cutSources: Set<Int64>) {
    var counts: [Int64: Int] = [:]
    // Whether the fix before, of the same segment, was taken out. For each source: while one is recorded, others are
    // imported, and their chunks lie between.
    var cuts: [Int64: Bool] = [:]
    for chunk in try connection.chunkIDs() {
      var isCut = cuts[chunk.source] ?? false
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

  /// Takes cells out of what sources brought themselves; returns how many of each source.
  private func forgetCells(in zone: PrivacyZone) throws(StoreError) -> [Int64: Int] {
    let cells = zone.cells(on: try settings.grid())
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

  /// Takes out the regions that sources brought themselves; returns how many of each source.
  private func forgetRegions(in zone: PrivacyZone) throws(StoreError) -> [Int64: Int] {
    var (counts, gone): ([Int64: Int], [Int64]) = ([:], [])
    let select = try Statement(
      "SELECT id, source_id, latitude, longitude FROM source_regions", on: connection)
    while try select.step() {
      let id = try select.rowID(at: 0, of: "source_regions")
      let source = try select.int64(at: 1, in: StoredRange.rowID, of: "source_regions, row \(id)")
      let center = try select.coordinate(at: 2, of: "source_regions, row \(id)")
      guard zone.contains(center) else { continue }
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

  /// Writes what is left of a source into its row: the counts, and a report that does not say any more where it was.
  ///
  /// `cut` says that the last fix is gone: a recording that goes on starts a segment then.
  private func update(_ left: TakenBack.Source, isCutAtEnd: Bool) throws(StoreError) {
    try connection.replaceReportThatIsNoObject(ofSource: left.source.id)
    let update = try connection.cached(
      """
      UPDATE sources SET kept = ?2, report = json_set(report, '$.kept', ?2, '$.bounds', NULL,
        '$.forgotten', ?3 + coalesce(json_extract(report, '$.forgotten'), 0))
      WHERE id = ?1
      """)
    update.bind(left.source.id, at: 1)
    update.bind(Int64(left.kept), at: 2)
    update.bind(Int64(left.fixesTaken + left.regionsTaken + left.cellsTaken), at: 3)
    try update.run()
    guard isCutAtEnd else { return }
    let mark = try connection.cached(
      "UPDATE sources SET report = json_set(report, '$.cut', json('true')) WHERE id = ?1")
    mark.bind(left.source.id, at: 1)
    try mark.run()
  }
}
