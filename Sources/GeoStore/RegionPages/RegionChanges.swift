import Geodesy

/// Which pages a transaction changed.
struct RegionChanges: Sendable {
  /// Geohashes of pages in which a region was made or changed.
  private(set) var pages: Set<Geohash> = []
  /// Whether any page may have changed.
  private(set) var isEverything = false
  private var last: Geohash?

  /// Whether no region changed.
  var isEmpty: Bool { pages.isEmpty && !isEverything }

  /// A region with this centre was made or changed.
  mutating func add(_ center: Coordinate) {
    let page = Geohash(center, length: RegionPage.length)
    // Along a track the same page comes again and again.
    if page == last { return }
    last = page
    pages.insert(page)
  }

  /// Any region may have been made, changed or taken away.
  mutating func addEverything() { isEverything = true }
}
