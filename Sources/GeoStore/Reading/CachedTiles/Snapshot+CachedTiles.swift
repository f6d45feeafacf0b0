import Geodesy
import SQLiteLayer

extension Snapshot {
  /// A page of this state: from memory, or read by one range of the index on geohashes.
  func page(_ geohash: Geohash) throws(DatabaseError) -> CachedTile {
    if let page = tiles.page(geohash, at: revision) { return page }
    var entries: [CachedTile.Entry] = []
    try forEachRegionPlace(in: geohash) { id, coordinate in
      entries.append(CachedTile.Entry(coordinate: coordinate, id: id))
    }
    let page = CachedTile(entries)
    tiles.keep(page, as: geohash, at: revision)
    return page
  }

  /// A page with all that is known of its regions.
  func detailedPage(_ geohash: Geohash) throws(DatabaseError) -> (
    page: CachedTile, details: CachedDetails
  ) {
    let page = try page(geohash)
    if let details = page.details { return (page, details) }
    return (page, try readDetails(of: page, geohash))
  }

  /// Reads all that is known of a page's regions, and keeps it with the page.
  func readDetails(of page: CachedTile, _ geohash: Geohash) throws(DatabaseError) -> CachedDetails {
    let names = PlaceNamesPool()
    var regions: [Int64: VisitedRegion] = [:]
    regions.reserveCapacity(page.entries.count)
    let select = try connection.cached(
      """
      SELECT \(VisitedRegion.columns) FROM visited_regions INDEXED BY visited_regions_by_geohash
      WHERE geohash >= ?1 AND geohash < ?2
      """)
    let range = geohash.textRange
    select.bind(range.from, at: 1)
    select.bind(range.below, at: 2)
    while try select.step() {
      let region = try VisitedRegion(row: select, names: names)
      regions[region.id] = region
    }
    var ordered: [VisitedRegion] = []
    ordered.reserveCapacity(page.entries.count)
    for entry in page.entries {
      guard let region = regions[entry.id] else {
        throw .damaged(
          path: connection.path, detail: "visited region \(entry.id) is in an index only")
      }
      ordered.append(region)
    }
    let details = CachedDetails(ordered, names: names)
    tiles.keep(page.with(details), as: geohash, at: revision)
    return details
  }

  /// Calls `body` with the id and center of every region whose geohash begins with another, by the
  /// covering index alone.
  func forEachRegionPlace(
    in geohash: Geohash, _ body: (Int64, Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let range = geohash.textRange
    try forEachRegionPlace(from: range.from, below: range.below, body)
  }

  /// The same for all regions whose geohash is a text in a range.
  func forEachRegionPlace(
    from first: String, below end: String, _ body: (Int64, Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try connection.cached(
      """
      SELECT id, latitude, longitude FROM visited_regions INDEXED BY visited_regions_by_geohash
      WHERE geohash >= ?1 AND geohash < ?2
      """)
    select.bind(first, at: 1)
    select.bind(end, at: 2)
    while try select.step() {
      let id = try select.rowID(at: 0, of: "visited_regions")
      try body(id, try select.coordinate(at: 1, of: "visited_regions, row \(id)"))
    }
  }
}
