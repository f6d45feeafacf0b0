import SQLiteLayer

extension Snapshot {
  /// All sources, in the order of import.
  ///
  /// - Complexity: O(sources), and O(tiles) of those that brought cells.
  public func sources() throws(DatabaseError) -> [StoredSource] { try connection.sources() }
}
