import CSQLite
import Geodesy
import SQLiteLayer

extension Connection {
  /// Returns the id of the next source, which was never used before: the counter's next value, or
  /// one more than the greatest id if the counter was lowered. A source's data is written before
  /// its row, because its SHA-256 is known last.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` if the id would exceed
  ///   ``StoredRange/lastNumberedRow``.
  func nextSourceID() throws(DatabaseError) -> Int64 {
    let select = try cached(
      """
      SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'sources') AS seq,
        (SELECT max(id) FROM sources) AS id
      """)
    guard try select.step() else { return 1 }  // without FROM there is always a row
    // A lowered counter, even a negative one, is not an error.
    let range = Int64.min...StoredRange.lastNumberedRow
    let counter = try select.int64(at: 0, in: range, of: "sqlite_sequence, row sources")
    let greatest = try select.int64(at: 1, in: range, of: "sources, row \(select.int64(at: 1))")
    return max(0, counter, greatest) + 1
  }

  /// Resets the counter of sources to their greatest number if it exceeds what a store accepts.
  func mendSourceCounter() throws(DatabaseError) {
    try execute(
      """
      UPDATE sqlite_sequence SET seq = coalesce((SELECT max(id) FROM sources), 0)
      WHERE name = 'sources' AND seq > \(StoredRange.lastNumberedRow)
      """)
  }

  /// Writes the row of a source.
  func insertSource(
    _ description: SourceDescription, id: Int64, kept: Int, importedAt: Timestamp
  ) throws(DatabaseError) {
    let insert = try cached(
      """
      INSERT INTO sources (id, sha256, path, format, bytes, points, kept, \
      first_time, last_time, report,
        imported_at, stays_at_end, withheld, highest_m, lowest_m, height_steps)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      """)
    insert.bind(id, at: 1)
    insert.bind(description.sha256, at: 2)
    insert.bind(description.path, at: 3)
    insert.bind(description.format, at: 4)
    insert.bind(Int64(description.bytes), at: 5)
    insert.bind(Int64(description.points), at: 6)
    insert.bind(Int64(kept), at: 7)
    insert.bind(description.firstTime?.iso8601, at: 8)
    insert.bind(description.lastTime?.iso8601, at: 9)
    insert.bind(description.report, at: 10)
    insert.bind(importedAt.iso8601, at: 11)
    insert.bind(Int64(description.staysAtEnd ? 1 : 0), at: 12)
    insert.bind(
      Int64(description.isIncomplete ? 2 : description.isWithheld ? 1 : 0), at: 13)
    insert.bind(description.heights, at: 14)
    try insert.run(changing: 1)
  }

  /// Returns the first and last time in a source's row; nil if there are none.
  func times(ofSource id: Int64) throws(DatabaseError) -> ClosedRange<Timestamp>? {
    let select = try cached("SELECT first_time, last_time FROM sources WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step() else { return nil }
    let times = [select.text(at: 0), select.text(at: 1)].compactMap {
      $0.flatMap(Timestamp.init(iso8601:))
    }
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }

  /// Prepares a recording to be continued: removes its report, if it has one. Returns whether its
  /// last fix was deleted.
  func reopenRecording(_ id: Int64) throws(DatabaseError) -> Bool {
    let select = try cached("SELECT is_cut FROM sources WHERE id = ?1")
    select.bind(id, at: 1)
    let isCut = try select.step() && select.int64(at: 0) != 0
    select.reset()
    let update = try cached(
      """
      UPDATE sources SET report = '\(SourceDescription.noReport)', stays_at_end = 0
      WHERE id = ?1 AND (report <> '\(SourceDescription.noReport)' OR stays_at_end)
      """)
    update.bind(id, at: 1)
    try update.run()
    return isCut
  }

  /// Clears the mark that a source's last fix was deleted: a fix that starts a segment follows.
  func removeCut(ofSource id: Int64) throws(DatabaseError) {
    let update = try cached("UPDATE sources SET is_cut = 0 WHERE id = ?1")
    update.bind(id, at: 1)
    try update.run()
  }

  /// Returns whether a source with these bytes is in the store, as complete as the privacy zones
  /// allow. If a zone that kept data out was removed since, importing the source again adds to it.
  func hasSource(sha256: String) throws(DatabaseError) -> Bool {
    let statement = try cached("SELECT 1 FROM sources WHERE sha256 = ?1 AND withheld <> 2")
    statement.bind(sha256, at: 1)
    return try statement.step()
  }

  /// Returns the number of points of the source with these bytes if it is incomplete since a
  /// privacy zone was removed; nil if there is no such source.
  func pointsOfIncompleteSource(sha256: String) throws(DatabaseError) -> Int? {
    let select = try cached("SELECT points FROM sources WHERE sha256 = ?1 AND withheld = 2")
    defer { select.reset() }
    select.bind(sha256, at: 1)
    return try select.step() ? Int(select.int64(at: 0)) : nil
  }

  /// Marks the source with these bytes as replaced if it is incomplete since a privacy zone was
  /// removed, so that it can be imported again. Its number replaces its SHA-256.
  func setAside(sha256: String) throws(DatabaseError) {
    let update = try cached(
      """
      UPDATE sources SET sha256 = printf('%064x', id), withheld = 4,
        report = '\(SourceDescription.noReport)'
      WHERE sha256 = ?1 AND withheld = 2
      """)
    update.bind(sha256, at: 1)
    try update.run()
  }

  /// Marks sources as cut for good: data that was deleted from them with an area does not come back
  /// by importing them again, whether or not a privacy zone is removed.
  func markCutForGood(_ ids: some Sequence<StoredSource.ID>) throws(DatabaseError) {
    let update = try cached("UPDATE sources SET withheld = 3 WHERE id = ?1 AND withheld < 4")
    for id in ids {
      update.bind(id, at: 1)
      try update.run()
    }
  }

  /// Marks sources as having lost data to a privacy zone that was just added.
  func markWithheld(_ ids: some Sequence<StoredSource.ID>) throws(DatabaseError) {
    let update = try cached("UPDATE sources SET withheld = 1 WHERE id = ?1 AND withheld = 0")
    for id in ids {
      update.bind(id, at: 1)
      try update.run()
    }
  }

  /// Marks a source's last fix as deleted: the next one starts a segment.
  func markCut(ofSource id: Int64) throws(DatabaseError) {
    let update = try cached("UPDATE sources SET is_cut = 1 WHERE id = ?1 AND NOT is_cut")
    update.bind(id, at: 1)
    try update.run()
  }

  /// Returns the sources whose last fix was deleted, or kept out by a privacy zone.
  func cutSources() throws(DatabaseError) -> Set<Int64> {
    let select = try cached("SELECT id FROM sources WHERE is_cut")
    var ids: Set<Int64> = []
    while try select.step() { ids.insert(select.int64(at: 0)) }
    return ids
  }

  /// Returns the number of sources that came with cells.
  func cellSourceCount() throws(DatabaseError) -> Int {
    Int(try integer("SELECT count(DISTINCT source_id) FROM source_tiles") ?? 0)
  }

  /// Returns the number of sources that came with regions.
  ///
  /// - Complexity: O(sources).
  func regionSourceCount() throws(DatabaseError) -> Int {
    let sql = """
      SELECT count(*) FROM sources
      WHERE EXISTS (SELECT 1 FROM source_regions WHERE source_id = sources.id)
      """
    return Int(try integer(sql) ?? 0)
  }
}
