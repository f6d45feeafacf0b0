import Geodesy

/// The changes of a transaction on the map: the cached tiles of regions and, if there are
/// listeners, the tiles of coverage that changed. The transaction's writers share one instance.
final class RegionChanges {
  /// Length of a cached tile's geohash.
  static let tileLength = 4

  /// Geohashes of tiles in which a region was added or changed.
  private(set) var tiles: Set<Geohash> = []
  /// Whether any tile may have changed.
  private(set) var isEverything = false
  /// Keys of the tiles of coverage that changed; nil if they are not collected.
  private(set) var coverageTiles: Set<Int64>?
  private var last: Geohash?

  /// Whether no region changed.
  var isEmpty: Bool { tiles.isEmpty && !isEverything }

  /// Removes all changes, at the start of a transaction.
  ///
  /// - Parameter collectsCoverage: whether to collect tiles of coverage too.
  func removeAll(collectingCoverage collectsCoverage: Bool) {
    (tiles, isEverything, last) = ([], false, nil)
    coverageTiles = collectsCoverage ? [] : nil
  }

  /// Records that cells of a tile of coverage were explored.
  func addCoverage(tile key: Int64) { coverageTiles?.insert(key) }

  /// Records that a region with this center was added or changed.
  func add(_ center: Coordinate) {
    let tile = Geohash(center, length: Self.tileLength)
    // Consecutive fixes of a track are usually in the same tile.
    if tile == last { return }
    last = tile
    tiles.insert(tile)
  }

  /// Records that any region may have been added, changed or deleted.
  func addEverything() { isEverything = true }
}
