import SQLiteLayer

extension Connection {
  /// Calls `body` with the kept fixes chunk by chunk: sources in the order of their import, fixes
  /// in file order.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:)`` for a chunk that cannot be read.
  func forEachChunkOfKeptFixes(
    _ body: (_ fixes: [KeptFix], _ source: Int64) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      "SELECT id, payload, source_id FROM kept_fixes ORDER BY id", on: self)
    while try select.step() {
      let fixes = try select.withBytes(at: 1) { (bytes) throws(DatabaseError) -> [KeptFix] in
        do {
          return try FixChunk.decode(bytes)
        } catch {
          throw .damaged(path: path, detail: "kept fixes, chunk \(select.int64(at: 0))")
        }
      }
      try body(fixes, select.int64(at: 2))
    }
  }

  /// Stores a chunk of a source's fixes and returns its number: one more than the greatest so far,
  /// and than that of the last chunk that other devices know, which may have been deleted.
  func insertChunk(_ fixes: [KeptFix], ofSource sourceID: Int64) throws(DatabaseError) -> Int64 {
    let insert = try cached(
      """
      INSERT INTO kept_fixes (id, source_id, count, payload)
      VALUES (1 + max(coalesce((SELECT max(id) FROM kept_fixes), 0),
        coalesce((SELECT sealed_chunk FROM sync_state), 0)), ?1, ?2, ?3)
      """)
    insert.bind(sourceID, at: 1)
    insert.bind(Int64(fixes.count), at: 2)
    insert.bind(FixChunk.encode(fixes), at: 3)
    try insert.run(changing: 1)
    let id = lastInsertedRow
    // SQLite picks any free number once the greatest possible one is taken.
    guard StoredRange.rowID.contains(id) else {
      throw .damaged(path: path, detail: "kept_fixes, row \(id): id is \(id)")
    }
    return id
  }

  /// Returns the number of fixes in a chunk according to its row; nil if there is no such chunk or
  /// it belongs to another source.
  func fixCount(ofChunk id: Int64, ofSource sourceID: Int64) throws(DatabaseError) -> Int? {
    let select = try cached("SELECT count FROM kept_fixes WHERE id = ?1 AND source_id = ?2")
    select.bind(id, at: 1)
    select.bind(sourceID, at: 2)
    guard try select.step() else { return nil }
    return try select.int(at: 0, in: StoredRange.chunkFixes, of: "kept_fixes, row \(id)")
  }
}
