import Geodesy
import SQLiteLayer

/// One unchanging state of a store, for queries. Valid only inside the closure that receives it.
///
/// ```swift
/// let (regions, cells) = try await store.read { snapshot in
///   (try snapshot.counts().visitedRegions, try snapshot.exploredCellCount())
/// }
/// print("\(regions) regions and \(cells) cells in the same state")
/// ```
public struct Snapshot {
  let connection: Connection
  /// The number of transactions that changed a region, up to this state.
  let revision: Int64
  /// Cached tiles of regions, shared with the store's other snapshots.
  let tiles: CachedTiles
  /// The settings in this state.
  public let settings: StoreSettings

  /// Returns whether a source with these bytes is in the store, as complete as the privacy zones
  /// allow.
  package func hasSource(sha256: String) throws(DatabaseError) -> Bool {
    try connection.hasSource(sha256: sha256)
  }

  /// Returns the number of points of the source with these bytes if it is incomplete since a
  /// privacy zone was removed; nil if there is no such source.
  package func pointsOfIncompleteSource(sha256: String) throws(DatabaseError) -> Int? {
    try connection.pointsOfIncompleteSource(sha256: sha256)
  }

  /// Returns the name of the format, as in the report, of the source with these bytes; nil if it is
  /// not in the store, or incomplete since a privacy zone was removed.
  package func formatOfSource(sha256: String) throws(DatabaseError) -> String? {
    let statement = try connection.cached(
      "SELECT format FROM sources WHERE sha256 = ?1 AND withheld <> 2")
    statement.bind(sha256, at: 1)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  /// Returns whether such a source of this size is in the store: a cheap test before hashing its
  /// bytes.
  package func hasSource(bytes: Int) throws(DatabaseError) -> Bool {
    let statement = try connection.cached(
      "SELECT 1 FROM sources WHERE bytes = ?1 AND withheld <> 2")
    statement.bind(Int64(bytes), at: 1)
    return try statement.step()
  }

  /// Returns the privacy zones, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func privacyZones() throws(DatabaseError) -> [StoredZone] { try connection.zones() }

  /// Calls `body` with the kept fixes in chunks: sources in the order of their import, fixes in
  /// file order.
  ///
  /// - Complexity: O(kept fixes); memory of one chunk.
  /// - Throws: `DatabaseError`.
  public func forEachChunkOfKeptFixes(
    _ body: ([KeptFix]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try connection.forEachChunkOfKeptFixes { (fixes, _) throws(DatabaseError) in try body(fixes) }
  }
}
