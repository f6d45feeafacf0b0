import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns the tiers that were reached, ordered by achievement and tier.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for an impossible row.
  package func achievementRows() throws(DatabaseError) -> [AchievementRow] {
    try connection.achievementRows()
  }

  /// Returns the progress of each achievement at the last evaluation.
  package func achievementProgress() throws(DatabaseError) -> [String: AchievementProgressRow] {
    try connection.achievementProgress()
  }

  /// Returns what the last evaluation of the achievements left; nil if there was none, or data was
  /// forgotten since.
  package func achievementState() throws(DatabaseError) -> AchievementStateRow? {
    try connection.achievementState()
  }

  /// Returns what an evaluation of this state begins with.
  package func evaluationBasis() throws(DatabaseError) -> EvaluationBasis {
    try connection.evaluationBasis()
  }

  /// Returns the content of the store up to a source; of all sources if it is nil.
  ///
  /// - Complexity: O(sources).
  package func content(upTo last: Int64? = nil) throws(DatabaseError) -> StoreContent {
    let select = try connection.cached(
      """
      SELECT coalesce(max(id), 0), coalesce(max(0, count(*) - 1), 0), coalesce(sum(kept), 0),
        coalesce((SELECT kept FROM sources WHERE id = \
      (SELECT max(id) FROM sources WHERE id <= ?1)), 0)
      FROM sources WHERE id <= ?1 AND \(Connection.condition("kept", StoredRange.sourceCount))
      """)
    select.bind(last ?? Int64.max, at: 1)
    guard try select.step() else { return StoreContent() }
    let lastFixes = try select.int64(at: 3, in: StoredRange.sourceCount, of: "sources")
    return StoreContent(
      lastSource: select.int64(at: 0), earlierSources: select.int64(at: 1),
      earlierFixes: max(0, select.int64(at: 2) - lastFixes), lastFixes: lastFixes)
  }

  /// Calls `body` with the kept fixes in chunks, as ``forEachChunkBySource(_:)``, from a source on.
  package func forEachChunk(
    fromSource first: Int64,
    _ body: (_ sourceID: Int64, _ fixes: [KeptFix]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      "SELECT id, source_id FROM kept_fixes WHERE source_id >= ?1 ORDER BY source_id, id",
      on: connection)
    select.bind(first, at: 1)
    while try select.step() {
      let (chunk, source) = (select.int64(at: 0), select.int64(at: 1))
      try body(source, try keptFixes(ofChunk: chunk))
    }
  }

  /// Calls `body` with the centers of the regions that came with sources, from a source on.
  package func forEachSourceRegionCenter(
    fromSource first: Int64, _ body: (Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try connection.cached(
      "SELECT id, latitude, longitude FROM source_regions WHERE source_id >= ?1 ORDER BY id")
    select.bind(first, at: 1)
    while try select.step() {
      try body(try select.coordinate(at: 1, of: "source_regions, row \(select.int64(at: 0))"))
    }
  }

  /// Returns whether any source came with cells.
  package func hasSourceTiles() throws(DatabaseError) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM source_tiles)") == 1
  }

  /// Calls `body` with the heights of each source that has any.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for impossible heights.
  package func forEachHeightProfile(
    _ body: (HeightProfile) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try connection.cached(
      "SELECT id, highest_m, lowest_m, height_steps FROM sources WHERE highest_m NOTNULL")
    while try select.step() {
      guard let heights = select.heights(at: 1) else {
        throw select.damaged(3, of: "sources, row \(select.int64(at: 0))")
      }
      try body(heights)
    }
  }
}
