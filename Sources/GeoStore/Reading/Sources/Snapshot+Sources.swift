import SQLiteLayer

extension Snapshot {
  /// Returns all sources, in the order of import.
  ///
  /// - Complexity: O(sources), plus O(tiles) of those that came with cells.
  /// - Throws: `DatabaseError`.
  public func sources() throws(DatabaseError) -> [StoredSource] { try connection.sources() }
}
