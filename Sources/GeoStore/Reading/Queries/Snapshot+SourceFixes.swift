import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Calls `body` with the kept fixes in chunks, source by source in the order of their import,
  /// fixes in file order. The fixes of a source are consecutive even if other sources were written
  /// during its recording.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:)` for a chunk that cannot be read.
  /// - Complexity: O(kept fixes); memory for one chunk.
  package func forEachChunkOfKeptFixesBySource(
    _ body: (_ sourceID: Int64, _ fixes: [KeptFix]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      "SELECT id, source_id, payload FROM kept_fixes ORDER BY source_id, id", on: connection)
    while try select.step() {
      let fixes = try select.withBytes(at: 2) { (bytes) throws(DatabaseError) -> [KeptFix] in
        do {
          return try FixChunk.decode(bytes)
        } catch {
          throw .damaged(path: connection.path, detail: "kept fixes, chunk \(select.int64(at: 0))")
        }
      }
      var rowName: String { "kept_fixes, row \(select.int64(at: 0))" }
      try body(select.int64(at: 1, in: StoredRange.rowID, of: rowName), fixes)
    }
  }

  /// Returns the last time of each source that is known to have stayed near its last kept fix until
  /// then (``SourceDescription/staysAtEnd``) and from which nothing was deleted since.
  ///
  /// - Complexity: O(sources).
  package func lastTimesNearLastKeptFix() throws(DatabaseError) -> [Int64: Timestamp] {
    let select = try Statement(
      "SELECT id, last_time FROM sources WHERE last_time NOTNULL AND stays_at_end "
        + "AND NOT forgotten",
      on: connection)
    var times: [Int64: Timestamp] = [:]
    while try select.step() {
      times[select.int64(at: 0)] = select.text(at: 1).flatMap(Timestamp.init(iso8601:))
    }
    return times
  }
}
