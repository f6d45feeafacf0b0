import SQLiteLayer

/// A chunk of kept fixes as stored.
package struct StoredChunk: Hashable, Sendable {
  /// Its number: chunks are numbered in the order of import.
  package let id: Int64
  /// The number of its source.
  package let source: Int64
  /// The number of its fixes.
  package let count: Int
}

/// Kept fixes in packed form, as devices exchange them.
package struct PackedFixes: Hashable, Sendable {
  /// The number of fixes, 1 to 4,096.
  package var count: Int
  /// The fixes, packed (`docs/formats/kept-fixes.md`).
  package var payload: [UInt8]

  /// The most fixes of a chunk: 4,096.
  package static var mostFixes: Int { FixChunk.capacity }

  /// Creates packed fixes.
  package init(count: Int, payload: [UInt8]) { (self.count, self.payload) = (count, payload) }

  /// Packs fixes into as few chunks as possible, so that equal fixes give equal bytes.
  package static func pack(_ fixes: [KeptFix]) -> [PackedFixes] {
    stride(from: 0, to: fixes.count, by: FixChunk.capacity).map { start in
      let part = Array(fixes[start..<min(fixes.count, start + FixChunk.capacity)])
      return PackedFixes(count: part.count, payload: FixChunk.encode(part))
    }
  }

  /// The fixes.
  ///
  /// - Throws: ``PackedBytesError``, also if their number is not ``count``.
  package func fixes() throws -> [KeptFix] {
    let fixes = try payload.withUnsafeBytes { try FixChunk.decode($0) }
    guard fixes.count == count else { throw PackedBytesError.malformed }
    return fixes
  }
}

extension WriteSession {
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
}
