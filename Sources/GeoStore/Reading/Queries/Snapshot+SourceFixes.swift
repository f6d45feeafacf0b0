import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Calls `body` with the kept fixes in chunks, source by source in the order of their import,
  /// fixes in file order. The fixes of a source are consecutive even if other sources were written
  /// during its recording.
  ///
  /// - Parameter body: gets the chunk's number, its source and its fixes.
  /// - Throws: `DatabaseError.damaged(path:detail:)` for a chunk that cannot be read.
  /// - Complexity: O(kept fixes); memory for one chunk.
  package func forEachChunkBySource(
    _ body: (_ chunk: Int64, _ sourceID: Int64, _ fixes: [KeptFix]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      "SELECT id, source_id, payload FROM kept_fixes ORDER BY source_id, id", on: connection)
    while try select.step() {
      let chunk = select.int64(at: 0)
      let fixes = try select.keptFixes(at: 2, ofChunk: chunk, path: connection.path)
      var rowName: String { "kept_fixes, row \(chunk)" }
      try body(chunk, select.int64(at: 1, in: StoredRange.rowID, of: rowName), fixes)
    }
  }

  /// Like ``forEachChunkBySource(_:)``, without the numbers of the chunks.
  package func forEachChunkOfKeptFixesBySource(
    _ body: (_ sourceID: Int64, _ fixes: [KeptFix]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try forEachChunkBySource { (_, source, fixes) throws(DatabaseError) in
      try body(source, fixes)
    }
  }

  /// Returns the kept fixes of a chunk by its number; none for a number that no chunk has.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:)` for a chunk that cannot be read.
  package func keptFixes(ofChunk chunk: Int64) throws(DatabaseError) -> [KeptFix] {
    let select = try connection.cached("SELECT payload FROM kept_fixes WHERE id = ?")
    select.bind(chunk, at: 1)
    guard try select.step() else { return [] }
    return try select.keptFixes(at: 0, ofChunk: chunk, path: connection.path)
  }

  /// Returns the numbers of all sources in the order of their identifiers: an order that does not
  /// depend on that of their import.
  ///
  /// - Complexity: O(sources).
  package func sourcesInOrderOfIdentifiers() throws(DatabaseError) -> [Int64] {
    let select = try Statement("SELECT id FROM sources ORDER BY sha256", on: connection)
    var sources: [Int64] = []
    while try select.step() { sources.append(select.int64(at: 0)) }
    return sources
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

extension Statement {
  /// The kept fixes of a chunk, from its payload.
  fileprivate func keptFixes(
    at column: Int32, ofChunk chunk: Int64, path: String
  ) throws(DatabaseError) -> [KeptFix] {
    try withBytes(at: column) { (bytes) throws(DatabaseError) -> [KeptFix] in
      do {
        return try FixChunk.decode(bytes)
      } catch {
        throw .damaged(path: path, detail: "kept fixes, chunk \(chunk)")
      }
    }
  }
}
