import CSQLite
import Geodesy

extension Connection {
  /// The id that the next source gets. What belongs to it is written before its row, since its SHA-256 is known last.
  func nextSourceID() throws(StoreError) -> Int64 {
    try nextID(of: "sources")
  }

  /// The number of a table's next row, one that was never given: its counter's next, or what is there where somebody
  /// lowered that.
  ///
  /// - Throws: ``StoreError/damaged(path:detail:cause:)`` where that is beyond
  ///   ``StoredRange/lastNumberedRow``.
  func nextID(of table: String) throws(StoreError) -> Int64 {
    let select = try cached(
      """
      SELECT (SELECT seq FROM sqlite_sequence WHERE name = '\(table)') AS seq,
        (SELECT max(id) FROM \(table)) AS id
      """)
    guard try select.step() else { return 1 }  // without FROM there is a row always
    // A counter that somebody lowered stops nobody.
    let range = Int64.min...StoredRange.lastNumberedRow
    let counter = try select.int64(at: 0, in: range, of: "sqlite_sequence, row \(table)")
    let greatest = try select.int64(at: 1, in: range, of: "\(table), row \(select.int64(at: 1))")
    return max(0, counter, greatest) + 1
  }

  /// Brings the counter of sources back to their greatest number where it is beyond what a store
  /// counts to.
  func mendSourceCounter() throws(StoreError) {
    try execute(
      """
      UPDATE sqlite_sequence SET seq = coalesce((SELECT max(id) FROM sources), 0)
      WHERE name = 'sources' AND seq > \(StoredRange.lastNumberedRow)
      """)
  }

  /// Writes the row of a source.
  func insertSource(
    _ description: SourceDescription, id: Int64, kept: Int, importedAt: Timestamp
  ) throws(StoreError) {
    let insert = try cached(
      """
      INSERT INTO sources (id, sha256, path, format, bytes, points, kept, first_time, last_time, report,
        imported_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
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
    try insert.run(changing: 1)
  }

  /// First and last time that a source's row gives; nil where there is none.
  func times(ofSource id: Int64) throws(StoreError) -> ClosedRange<Timestamp>? {
    let select = try cached("SELECT first_time, last_time FROM sources WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step() else { return nil }
    let times = [select.text(at: 0), select.text(at: 1)].compactMap { $0.flatMap(Timestamp.init(iso8601:)) }
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }

  /// Makes the report of a recording that goes on one without what its row tells and is about to change: a privacy zone, or an end that
  /// was none, has put it there. Returns whether the report says that its last fix was taken out (`cut`).
  func reopenReport(ofSource id: Int64) throws(StoreError) -> Bool {
    let select = try cached(
      """
      SELECT CASE WHEN json_valid(report) THEN json_extract(report, '$.cut') IS 1 ELSE 0 END FROM sources
      WHERE id = ?1
      """)
    select.bind(id, at: 1)
    let isCut = try select.step() && select.int64(at: 0) == 1
    select.reset()
    let update = try cached(
      """
      UPDATE sources SET report = json_remove(report, '$.points', '$.kept', '$.firstTime', '$.lastTime')
      WHERE id = ?1 AND CASE WHEN report = '{}' THEN 0 WHEN json_valid(report) THEN EXISTS (
        SELECT 1 FROM json_each(report) WHERE key IN ('points', 'kept', 'firstTime', 'lastTime')) ELSE 0 END
      """)
    update.bind(id, at: 1)
    try update.run()
    return isCut
  }

  /// Takes `cut` out of a source's report: a fix follows that starts a segment.
  func removeCut(ofSource id: Int64) throws(StoreError) {
    let update = try cached("UPDATE sources SET report = json_remove(report, '$.cut') WHERE id = ?1")
    update.bind(id, at: 1)
    try update.run()
  }

  /// A report as a JSON object, an empty one where it is none, and the times of its `firstTime` and `lastTime`.
  func object(ofReport report: String) throws(StoreError) -> (report: String, times: [Timestamp]) {
    let select = try cached(
      """
      SELECT json_extract(?1, '$.firstTime'), json_extract(?1, '$.lastTime')
      WHERE CASE WHEN json_valid(?1) THEN json_type(?1) = 'object' ELSE 0 END
      """)
    select.bind(report, at: 1)
    guard try select.step() else { return ("{}", []) }
    return (
      report, [select.text(at: 0), select.text(at: 1)].compactMap { $0.flatMap(Timestamp.init(iso8601:)) }
    )
  }

  /// Writes an empty object over a report that is none, as only another program leaves it.
  func replaceReportThatIsNoObject(ofSource id: Int64) throws(StoreError) {
    let update = try cached(
      """
      UPDATE sources SET report = '{}'
      WHERE id = ?1 AND CASE WHEN json_valid(report) THEN json_type(report) <> 'object' ELSE 1 END
      """)
    update.bind(id, at: 1)
    try update.run()
  }

  func hasSource(sha256: String) throws(StoreError) -> Bool {
    let statement = try cached("SELECT 1 FROM sources WHERE sha256 = ?1")
    statement.bind(sha256, at: 1)
    return try statement.step()
  }

  /// Sources that brought cells of their own.
  func cellSourceCount() throws(StoreError) -> Int {
    Int(try integer("SELECT count(DISTINCT source_id) FROM source_tiles") ?? 0)
  }
}
