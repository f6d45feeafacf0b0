import Geodesy

/// Which cached tiles of regions a transaction changed. Its writers share one.
final class RegionChanges {
  /// Characters of a cached tile's geohash.
  static let tileLength = 4

  /// Geohashes of tiles in which a region was added or changed.
  private(set) var tiles: Set<Geohash> = []
  /// Whether any tile may have changed.
  private(set) var isEverything = false
  private var last: Geohash?

  /// Whether no region changed.
  var isEmpty: Bool { tiles.isEmpty && !isEverything }

  /// Starts with no change: a transaction begins.
  func removeAll() {
    (tiles, isEverything, last) = ([], false, nil)
  }

  /// A region with this center was added or changed.
  func add(_ center: Coordinate) {
    let tile = Geohash(center, length: Self.tileLength)
    // Along a track the same tile comes again and again.
    if tile == last { return }
    last = tile
    tiles.insert(tile)
  }

  /// Any region may have been added, changed or deleted.
  func addEverything() { isEverything = true }
}
