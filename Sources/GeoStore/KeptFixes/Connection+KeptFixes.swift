extension Connection {
  /// Hands out the kept fixes chunk by chunk: sources in the order of their import, fixes in file order.
  ///
  /// - Throws: ``StoreError/damaged(path:detail:)`` for a chunk that cannot be read.
  func forEachChunkOfKeptFixes(
    _ body: ([KeptFix]) throws(StoreError) -> Void
  ) throws(StoreError) {
    // Not the cached statement: `body` may run for long and use the connection.
    let select = try Statement("SELECT id, payload FROM kept_fixes ORDER BY id", on: self)
    while try select.step() {
      let fixes = try select.withBytes(at: 1) { (bytes) throws(StoreError) -> [KeptFix] in
        do {
          return try FixChunk.decode(bytes)
        } catch {
          throw .damaged(path: path, detail: "kept fixes, chunk \(select.int64(at: 0))")
        }
      }
      try body(fixes)
    }
  }
}
