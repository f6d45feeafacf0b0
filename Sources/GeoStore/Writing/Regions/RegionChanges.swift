import Geodesy

/// What a transaction changed on the map: which cached tiles of regions, and, if somebody listens
/// to changes, which tiles of coverage. Its writers share one.
final class RegionChanges {
  /// Characters of a cached tile's geohash.
  static let tileLength = 4

  /// Geohashes of tiles in which a region was added or changed.
  private(set) var tiles: Set<Geohash> = []
  /// Whether any tile may have changed.
  private(set) var isEverything = false
  /// Keys of the tiles of coverage that changed; nil if nobody asks for them.
  private(set) var coverageTiles: Set<Int64>?
  private var last: Geohash?

  /// Whether no region changed.
  var isEmpty: Bool { tiles.isEmpty && !isEverything }

  /// Starts with no change: a transaction begins.
  ///
  /// - Parameter collectsCoverage: whether tiles of coverage are collected, too.
  func removeAll(collectingCoverage collectsCoverage: Bool) {
    (tiles, isEverything, last) = ([], false, nil)
    coverageTiles = collectsCoverage ? [] : nil
  }

  /// Cells of a tile of coverage were explored.
  func addCoverage(tile key: Int64) { coverageTiles?.insert(key) }

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
