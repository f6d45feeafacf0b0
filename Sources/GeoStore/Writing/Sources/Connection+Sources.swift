import CSQLite
import Geodesy
import SQLiteLayer

extension Connection {
  /// The id that the next source gets, one that was never given: the counter's next, or the next
  /// after the greatest if somebody lowered the counter. What belongs to the source is written
  /// before its row, since its SHA-256 is known last.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` where that is beyond
  ///   ``StoredRange/lastNumberedRow``.
  func nextSourceID() throws(DatabaseError) -> Int64 {
    let select = try cached(
      """
      SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'sources') AS seq,
        (SELECT max(id) FROM sources) AS id
      """)
    guard try select.step() else { return 1 }  // without FROM there is a row always
    // A counter that somebody lowered stops nobody.
    let range = Int64.min...StoredRange.lastNumberedRow
    let counter = try select.int64(at: 0, in: range, of: "sqlite_sequence, row sources")
    let greatest = try select.int64(at: 1, in: range, of: "sources, row \(select.int64(at: 1))")
    return max(0, counter, greatest) + 1
  }

  /// Brings the counter of sources back to their greatest number where it is beyond what a store
  /// counts to.
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
        imported_at, stays_at_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
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
    try insert.run(changing: 1)
  }

  /// First and last time that a source's row gives; nil where there is none.
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

  /// Prepares a recording to be continued: its report, if it has one, ended it. Returns whether its
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

  /// Says that a source's last fix is there: one follows that starts a segment.
  func removeCut(ofSource id: Int64) throws(DatabaseError) {
    let update = try cached("UPDATE sources SET is_cut = 0 WHERE id = ?1")
    update.bind(id, at: 1)
    try update.run()
  }

  /// Whether a source with these bytes is in the store.
  func hasSource(sha256: String) throws(DatabaseError) -> Bool {
    let statement = try cached("SELECT 1 FROM sources WHERE sha256 = ?1")
    statement.bind(sha256, at: 1)
    return try statement.step()
  }

  /// Sources that brought cells of their own.
  func cellSourceCount() throws(DatabaseError) -> Int {
    Int(try integer("SELECT count(DISTINCT source_id) FROM source_tiles") ?? 0)
  }
}
