import SQLiteLayer

/// Reads what devices share of a store: rows of sources, kept fixes as they are packed, and what
/// came without fixes. A snapshot and a transaction read it alike.
package struct HistoryReader {
  let connection: Connection
  /// The settings as of this point.
  package let settings: StoreSettings

  /// Returns what the exchange keeps: the last chunk that is shared, and its state; nil if the
  /// store is not shared.
  package func syncState() throws(DatabaseError) -> (sealedChunk: Int64, state: [UInt8])? {
    let select = try connection.cached("SELECT sealed_chunk, state FROM sync_state")
    guard try select.step() else { return nil }
    return (select.int64(at: 0), try select.bytes(at: 1))
  }

  /// Returns the rows of all sources, except those that others have replaced, in the order of their
  /// numbers.
  package func sourceRecords() throws(DatabaseError) -> [(id: Int64, source: SourceRecord)] {
    let select = try connection.cached(
      """
      SELECT id, sha256, withheld, \(SourceRecord.columnList) FROM sources WHERE withheld < 4
      ORDER BY id
      """)
    var found: [(id: Int64, source: SourceRecord)] = []
    let last = Int32(3 + SourceRecord.columnNames.count)
    while try select.step() {
      let id = try select.rowID(at: 0, of: "sources")
      found.append(
        (
          id,
          SourceRecord(
            sha256: select.text(at: 1) ?? "", withheld: select.int64(at: 2),
            columns: try select.values(at: 3..<last))
        ))
    }
    return found
  }

  /// Returns the chunks after one, in the order of import.
  ///
  /// - Complexity: O(chunks).
  package func chunks(after last: Int64 = 0) throws(DatabaseError) -> [StoredChunk] {
    let select = try connection.cached(
      "SELECT id, source_id, count FROM kept_fixes WHERE id > ?1 ORDER BY id")
    select.bind(last, at: 1)
    var chunks: [StoredChunk] = []
    while try select.step() {
      let id = try select.rowID(at: 0, of: "kept_fixes")
      chunks.append(
        StoredChunk(
          id: id,
          source: try select.int64(at: 1, in: StoredRange.rowID, of: "kept_fixes, row \(id)"),
          count: try select.int(at: 2, in: StoredRange.chunkFixes, of: "kept_fixes, row \(id)")))
    }
    return chunks
  }

  /// Returns the number of the last chunk; 0 if there is none.
  package func lastChunk() throws(DatabaseError) -> Int64 {
    try connection.integer("SELECT max(id) FROM kept_fixes") ?? 0
  }

  /// Returns the number of chunks with numbers in a range, which may be empty.
  package func chunkCount(from first: Int64, to last: Int64) throws(DatabaseError) -> Int {
    guard first <= last else { return 0 }
    let select = try connection.cached("SELECT count(*) FROM kept_fixes WHERE id BETWEEN ?1 AND ?2")
    select.bind(first, at: 1)
    select.bind(last, at: 2)
    return try select.step() ? select.int(at: 0) : 0
  }

  /// Returns the chunks of a source among some numbers, as stored.
  package func packedFixes(
    _ chunks: ClosedRange<Int64>, ofSource source: Int64
  ) throws(DatabaseError) -> [PackedFixes] {
    let select = try connection.cached(
      """
      SELECT count, payload FROM kept_fixes WHERE id BETWEEN ?1 AND ?2 AND source_id = ?3
      ORDER BY id
      """)
    select.bind(chunks.lowerBound, at: 1)
    select.bind(chunks.upperBound, at: 2)
    select.bind(source, at: 3)
    var found: [PackedFixes] = []
    while try select.step() {
      found.append(PackedFixes(count: select.int(at: 0), payload: try select.bytes(at: 1)))
    }
    return found
  }

  /// Returns the fixes of a source in some chunks.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for a chunk that cannot be read.
  package func keptFixes(
    _ chunks: ClosedRange<Int64>, ofSource source: Int64
  ) throws(DatabaseError) -> [KeptFix] {
    var fixes: [KeptFix] = []
    for packed in try packedFixes(chunks, ofSource: source) {
      do {
        fixes += try packed.fixes()
      } catch {
        throw .damaged(
          path: connection.path, detail: "kept fixes, chunks from \(chunks.lowerBound)")
      }
    }
    return fixes
  }

  /// Returns the cells and regions that came with a source.
  package func broughtData(ofSource id: Int64) throws(DatabaseError) -> BroughtData {
    var data = BroughtData()
    let tiles = try connection.cached(
      "SELECT key, cells, bits FROM source_tiles WHERE source_id = ?1 ORDER BY key")
    tiles.bind(id, at: 1)
    while try tiles.step() {
      data.tiles.append(
        BroughtData.Tile(
          key: tiles.int64(at: 0), cells: tiles.int(at: 1), bits: try tiles.bytes(at: 2)))
    }
    let regions = try connection.cached(
      "SELECT \(SourceRegion.columns) FROM source_regions WHERE source_id = ?1 ORDER BY id")
    regions.bind(id, at: 1)
    while try regions.step() { data.regions.append(try regions.values(at: 0..<14)) }
    return data
  }
}

extension Snapshot {
  /// What devices share, as of this state.
  package var history: HistoryReader { HistoryReader(connection: connection, settings: settings) }
}
