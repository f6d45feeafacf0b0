import GridHash
import SQLiteLayer

extension Connection {
  func coverageTile(at key: Int64) throws(DatabaseError) -> Tile? {
    let select = try cached("SELECT bits FROM coverage_tiles WHERE key = ?1")
    select.bind(key, at: 1)
    guard try select.step() else { return nil }
    return try select.withBytes(at: 0) { (bytes) throws(DatabaseError) in
      try tile(from: bytes, key: key)
    }
  }

  func writeCoverageTile(_ tile: Tile, at key: Int64) throws(DatabaseError) {
    let insert = try cached(
      """
      INSERT INTO coverage_tiles (key, cells, bits) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET cells = excluded.cells, bits = excluded.bits
      """)
    insert.bind(key, at: 1)
    insert.bind(Int64(tile.count), at: 2)
    insert.bind(tile.serialized(), at: 3)
    try insert.run(changing: 1)
  }

  /// Adds cells to the explored ones, and returns those that are new.
  func joinCoverageTile(_ tile: Tile, at key: Int64) throws(DatabaseError) -> Tile {
    let stored = try coverageTile(at: key) ?? Tile()
    let new = tile.subtracting(stored)
    if !new.isEmpty { try writeCoverageTile(stored.union(tile), at: key) }
    return new
  }

  /// Calls `body` with the tiles that came with sources, and the number of their source: sources in
  /// the order of their import, keys ascending.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for a tile that is not on the grid.
  func forEachSourceTile(
    of grid: Grid,
    _ body: (_ sourceID: Int64, _ key: Int64, _ tile: Tile) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      "SELECT key, bits, source_id FROM source_tiles ORDER BY source_id, key", on: self)
    while try select.step() {
      let key = select.int64(at: 0)
      let brought = try select.withBytes(at: 1) { (bytes) throws(DatabaseError) in
        try tile(from: bytes, key: key)
      }
      guard grid.accepts(brought, at: key) else {
        throw select.damaged(0, of: "source_tiles, source \(select.int64(at: 2))", Self.offGrid)
      }
      try body(select.int64(at: 2), key, brought)
    }
  }

  /// The reason why a tile's key is damaged.
  static let offGrid = ", which is not on the grid"

  /// Decodes the tile in a row's bytes.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)``.
  func tile(from bytes: UnsafeRawBufferPointer, key: Int64) throws(DatabaseError) -> Tile {
    do {
      return try Tile(serialized: bytes)
    } catch {
      throw .damaged(path: path, detail: "coverage tile \(key)")
    }
  }
}
