import SQLiteLayer

extension Connection {
  /// Returns the last chunk that other devices know; 0 if the store is not shared.
  func sealedChunk() throws(DatabaseError) -> Int64 {
    let select = try cached("SELECT sealed_chunk FROM sync_state")
    return try select.step() ? select.int64(at: 0) : 0
  }
}
