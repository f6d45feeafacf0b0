import Geodesy
import GridHash
import SQLiteLayer

/// Rows of sources, exchanged with other devices.
extension WriteSession {
  /// What devices share, as of this point in the transaction.
  package var history: HistoryReader { HistoryReader(connection: connection, settings: settings) }

  /// Stores the row of a source of another device, and returns its number here. Its data follows
  /// (``arrange(after:_:load:)``, ``addBrought(_:toSource:)``).
  ///
  /// - Throws: `DatabaseError`, also for values that no row has.
  package func insert(_ source: SourceRecord) throws(DatabaseError) -> Int64 {
    let id = try connection.nextSourceID()
    let places = SourceRecord.columnNames.indices.map { "?\($0 + 4)" }.joined(separator: ", ")
    let insert = try connection.cached(
      """
      INSERT INTO sources (id, sha256, withheld, kept, \(SourceRecord.columnList))
      VALUES (?1, ?2, ?3, 0, \(places))
      """)
    insert.bind(id, at: 1)
    insert.bind(source.sha256, at: 2)
    insert.bind(source.withheld, at: 3)
    for (index, value) in source.columns.enumerated() { insert.bind(value, at: Int32(index) + 4) }
    try insert.run(changing: 1)
    _ = try connection.source(id: id)
    change?.sourcesChanged.insert(id)
    return id
  }

  /// Replaces the row of a source.
  ///
  /// - Throws: `DatabaseError`, also for values that no row has.
  package func update(_ id: Int64, to source: SourceRecord) throws(DatabaseError) {
    let columns = SourceRecord.columnNames.enumerated().map { "\($1) = ?\($0 + 3)" }
    let update = try connection.cached(
      "UPDATE sources SET withheld = ?2, \(columns.joined(separator: ", ")) WHERE id = ?1")
    update.bind(id, at: 1)
    update.bind(source.withheld, at: 2)
    for (index, value) in source.columns.enumerated() { update.bind(value, at: Int32(index) + 3) }
    try update.run(changing: 1)
    _ = try connection.source(id: id)
    change?.sourcesChanged.insert(id)
  }

  /// Changes what a source says about data that is kept out of it, if that grows.
  package func setWithheld(_ withheld: Int64, ofSource id: Int64) throws(DatabaseError) {
    let update = try connection.cached(
      "UPDATE sources SET withheld = ?2 WHERE id = ?1 AND withheld < ?2")
    update.bind(id, at: 1)
    update.bind(withheld, at: 2)
    try update.run()
  }

  /// The sources whose last fix was deleted, or kept out by a privacy zone: the next one starts a
  /// segment.
  package func cutSources() throws(DatabaseError) -> Set<Int64> { try connection.cutSources() }

  /// Marks sources as those whose last fix was deleted, or kept out by a privacy zone.
  package func markCut(_ ids: some Sequence<Int64>) throws(DatabaseError) {
    for id in ids { try connection.markCut(ofSource: id) }
  }

  /// Counts the kept fixes of sources again.
  package func recount(_ ids: some Sequence<Int64>) throws(DatabaseError) {
    let update = try connection.cached(
      """
      UPDATE sources
      SET kept = (SELECT coalesce(sum(count), 0) FROM kept_fixes WHERE source_id = sources.id)
      WHERE id = ?1
      """)
    for id in ids {
      update.bind(id, at: 1)
      try update.run()
    }
  }

  /// Makes the row of a source fit its data where devices changed both at the same time: it has at
  /// least as many points as kept fixes, and its times include those of all its data.
  ///
  /// - Complexity: O(kept fixes of the source).
  package func widenRow(ofSource id: Int64) throws(DatabaseError) {
    var times: [Timestamp] = []
    let select = try connection.cached("SELECT id FROM kept_fixes WHERE source_id = ?1")
    select.bind(id, at: 1)
    var chunks: [Int64] = []
    while try select.step() { chunks.append(select.int64(at: 0)) }
    for chunk in chunks {
      times += try connection.keptFixes(inChunk: chunk).compactMap(\.time)
    }
    try connection.forEachSourceRegion(where: "source_id = \(id)") { region, _ in
      times += [region.start, region.end].compactMap { $0 }
    }
    let known = try connection.times(ofSource: id)
    let update = try connection.cached(
      """
      UPDATE sources SET points = max(points, kept), first_time = ?2, last_time = ?3 WHERE id = ?1
      """)
    update.bind(id, at: 1)
    update.bind((times + [known?.lowerBound].compactMap { $0 }).min()?.iso8601, at: 2)
    update.bind((times + [known?.upperBound].compactMap { $0 }).max()?.iso8601, at: 3)
    try update.run()
  }

  /// Replaces the cells and regions that came with a source. Those in privacy zones are left out.
  /// ``rebuild()`` must follow.
  ///
  /// - Returns: whether something was left out.
  /// - Throws: `DatabaseError`, also for a tile that is not on the grid of the store.
  package func replaceBrought(
    _ data: BroughtData, ofSource id: Int64
  ) throws(DatabaseError) -> Bool {
    for table in ["source_tiles", "source_regions"] {
      let delete = try connection.cached("DELETE FROM \(table) WHERE source_id = ?1")
      delete.bind(id, at: 1)
      try delete.run()
    }
    var isWithheld = false
    let withheld = WithheldCells(zones: try zones(), grid: settings.grid)
    let insert = try connection.cached(
      "INSERT INTO source_tiles (source_id, key, cells, bits) VALUES (?1, ?2, ?3, ?4)")
    for stored in data.tiles {
      let given = try? Tile(serialized: stored.bits)
      guard let given, settings.grid.accepts(given, at: stored.key) else {
        throw .damaged(path: connection.path, detail: "coverage tile \(stored.key)")
      }
      let tile = withheld.outside(given, at: stored.key)
      isWithheld = isWithheld || tile.count < given.count
      if tile.isEmpty { continue }
      insert.bind(id, at: 1)
      insert.bind(stored.key, at: 2)
      insert.bind(Int64(tile.count), at: 3)
      insert.bind(tile.serialized(), at: 4)
      try insert.run(changing: 1)
    }
    let region = try connection.cached(
      """
      INSERT INTO source_regions (source_id, \(SourceRegion.columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """)
    for values in data.regions {
      region.bind(id, at: 1)
      for (index, value) in values.enumerated() { region.bind(value, at: Int32(index) + 2) }
      try region.run(changing: 1)
    }
    // The rows are what counts: a position that is not a floating-point number has become one.
    if try !forgetRegions(ofSource: id, where: try zones().contains).isEmpty { isWithheld = true }
    try connection.forEachSourceRegion(where: "source_id = \(id)") { _, _ in }
    change?.sourcesChanged.insert(id)
    change?.isIncomplete = true
    return isWithheld
  }

  /// Puts the regions that came with sources in the order of the given sources, which is that of
  /// all devices.
  ///
  /// - Returns: whether their order changed, so that ``rebuild()`` must follow.
  package func orderBroughtRegions(bySources ids: [Int64]) throws(DatabaseError) -> Bool {
    let select = try connection.cached(
      "SELECT source_id FROM source_regions GROUP BY source_id ORDER BY min(id)")
    var found: [Int64] = []
    while try select.step() { found.append(select.int64(at: 0)) }
    let wanted = ids.filter(found.contains)
    guard wanted != found.filter(wanted.contains) else { return false }
    for id in wanted { _ = try replaceBrought(try history.broughtData(ofSource: id), ofSource: id) }
    return true
  }
}
