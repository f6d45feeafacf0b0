import Geodesy
import SQLiteLayer

/// One unchanging state of a store, to ask questions of. Only valid inside the closure that
/// received it.
///
/// ```swift
/// let (regions, cells) = try await store.read { snapshot in
///   (try snapshot.counts().visitedRegions, try snapshot.exploredCellCount())
/// }
/// print("\(regions) regions and \(cells) cells in the same state")
/// ```
public struct Snapshot {
  let connection: Connection
  /// How many transactions have changed a region up to this state.
  let revision: Int64
  /// Cached tiles of regions, shared with other snapshots of the store.
  let tiles: CachedTiles
  /// The settings in this state.
  public let settings: StoreSettings

  /// Whether a source with these bytes is in the store.
  package func hasSource(sha256: String) throws(DatabaseError) -> Bool {
    try connection.hasSource(sha256: sha256)
  }

  /// The format of the source with these bytes, by the name of the report; nil where it is not in
  /// the store.
  package func formatOfSource(sha256: String) throws(DatabaseError) -> String? {
    let statement = try connection.cached("SELECT format FROM sources WHERE sha256 = ?1")
    statement.bind(sha256, at: 1)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  /// Whether a source of this size is in the store: cheap to ask before its bytes are summed.
  package func hasSource(bytes: Int) throws(DatabaseError) -> Bool {
    let statement = try connection.cached("SELECT 1 FROM sources WHERE bytes = ?1")
    statement.bind(Int64(bytes), at: 1)
    return try statement.step()
  }

  /// Hands out the kept fixes in chunks: sources in the order of their import, fixes in file order.
  ///
  /// - Complexity: O(kept fixes); memory of one chunk.
  public func forEachChunkOfKeptFixes(
    _ body: ([KeptFix]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try connection.forEachChunkOfKeptFixes { (fixes, _) throws(DatabaseError) in try body(fixes) }
  }
}
