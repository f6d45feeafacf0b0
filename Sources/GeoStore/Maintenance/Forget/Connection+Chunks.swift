import Geodesy
import GridHash
import SQLiteLayer

extension Connection {
  /// Returns the chunks of kept fixes with their sources, in the order of import. 16 bytes for each
  /// chunk, which has up to 4 096 fixes, or as few as one if two recordings alternated.
  func chunkIDs() throws(DatabaseError) -> [(id: Int64, source: Int64)] {
    let select = try cached("SELECT id, source_id FROM kept_fixes ORDER BY id")
    var chunks: [(id: Int64, source: Int64)] = []
    while try select.step() {
      let id = try select.rowID(at: 0, of: "kept_fixes")
      let source = try select.int64(at: 1, in: StoredRange.rowID, of: "kept_fixes, row \(id)")
      chunks.append((id, source))
    }
    return chunks
  }

  /// Returns the fixes of a chunk; none if there is no such chunk.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:)`` if the chunk cannot be read.
  func keptFixes(inChunk id: Int64) throws(DatabaseError) -> [KeptFix] {
    try read(chunk: id) { (bytes) throws(PackedBytesError) in try FixChunk.decode(bytes) } ?? []
  }

  /// Replaces `positions` by the positions of a chunk's fixes; none if there is no such chunk.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:)`` if they cannot be read.
  func readPositions(
    inChunk id: Int64, into positions: inout [Coordinate]
  ) throws(DatabaseError) {
    positions.removeAll(keepingCapacity: true)
    _ = try read(chunk: id) { (bytes) throws(PackedBytesError) in
      try FixChunk.decodeCoordinates(bytes, into: &positions)
    }
  }

  /// Decodes a chunk; nil if there is no such chunk.
  private func read<T>(
    chunk id: Int64, _ decode: (UnsafeRawBufferPointer) throws(PackedBytesError) -> T
  ) throws(DatabaseError) -> T? {
    let select = try cached("SELECT payload FROM kept_fixes WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step() else { return nil }
    return try select.withBytes(at: 0) { (bytes) throws(DatabaseError) in
      try self.decoding(chunk: id) { () throws(PackedBytesError) in try decode(bytes) }
    }
  }

  /// Runs `body`, which decodes a chunk, and names the chunk if it cannot be read.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:)``.
  func decoding<T>(
    chunk id: Int64, _ body: () throws(PackedBytesError) -> T
  ) throws(DatabaseError) -> T {
    do {
      return try body()
    } catch {
      throw .damaged(path: path, detail: "kept fixes, chunk \(id)")
    }
  }

  /// Overwrites a chunk, or deletes it if there are no fixes.
  func replaceChunk(_ id: Int64, with fixes: [KeptFix]) throws(DatabaseError) {
    guard !fixes.isEmpty else {
      let delete = try cached("DELETE FROM kept_fixes WHERE id = ?1")
      delete.bind(id, at: 1)
      return try delete.run()
    }
    let update = try cached("UPDATE kept_fixes SET count = ?2, payload = ?3 WHERE id = ?1")
    update.bind(id, at: 1)
    update.bind(Int64(fixes.count), at: 2)
    update.bind(FixChunk.encode(fixes), at: 3)
    try update.run(changing: 1)
  }

  /// Returns the tiles that came with sources, for a range of keys.
  func sourceTiles(
    _ keys: ClosedRange<Int64>
  ) throws(DatabaseError) -> [(source: Int64, key: Int64, tile: Tile)] {
    let select = try cached(
      "SELECT source_id, key, bits FROM source_tiles WHERE key BETWEEN ?1 AND ?2")
    select.bind(keys.lowerBound, at: 1)
    select.bind(keys.upperBound, at: 2)
    var tiles: [(source: Int64, key: Int64, tile: Tile)] = []
    while try select.step() {
      let key = select.int64(at: 1)
      let tile = try select.withBytes(at: 2) { (bytes) throws(DatabaseError) in
        try self.tile(from: bytes, key: key)
      }
      tiles.append((select.int64(at: 0), key, tile))
    }
    return tiles
  }

  /// Overwrites a source's tile, or deletes it if it has no cells.
  func replaceSourceTile(_ tile: Tile, at key: Int64, of source: Int64) throws(DatabaseError) {
    let isEmpty = tile.isEmpty
    let change = try cached(
      isEmpty
        ? "DELETE FROM source_tiles WHERE source_id = ?1 AND key = ?2"
        : "UPDATE source_tiles SET cells = ?3, bits = ?4 WHERE source_id = ?1 AND key = ?2")
    change.bind(source, at: 1)
    change.bind(key, at: 2)
    if !isEmpty {
      change.bind(Int64(tile.count), at: 3)
      change.bind(tile.serialized(), at: 4)
    }
    try change.run()
  }
}
