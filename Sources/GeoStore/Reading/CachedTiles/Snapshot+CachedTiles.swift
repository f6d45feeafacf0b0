import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns a tile of this state, from memory or by reading one range of numbers.
  func cachedTile(_ geohash: Geohash) throws(DatabaseError) -> CachedTile {
    if let tile = tiles.tile(geohash, at: revision) { return tile }
    var entries: [CachedTile.Entry] = []
    try forEachRegionPlace(in: geohash) { id, coordinate in
      entries.append(CachedTile.Entry(coordinate: coordinate, id: id))
    }
    let tile = CachedTile(entries, in: geohash)
    tiles.keep(tile, as: geohash, at: revision)
    return tile
  }

  /// Returns a tile with its regions' details.
  func detailedTile(_ geohash: Geohash) throws(DatabaseError) -> (
    tile: CachedTile, details: CachedDetails
  ) {
    let tile = try cachedTile(geohash)
    if let details = tile.details { return (tile, details) }
    return (tile, try readDetails(of: tile, geohash))
  }

  /// Reads the details of a tile's regions, and caches them with the tile.
  func readDetails(of tile: CachedTile, _ geohash: Geohash) throws(DatabaseError) -> CachedDetails {
    let names = StoredPlaces(connection)
    var regions: [Int64: VisitedRegion] = [:]
    regions.reserveCapacity(tile.entries.count)
    let select = try connection.cached(
      "SELECT \(VisitedRegion.columns) FROM regions WHERE id >= ?1 AND id < ?2")
    select.bind(RegionID.range(of: geohash))
    while try select.step() {
      let region = try VisitedRegion(row: select, names: names)
      regions[region.id] = region
    }
    var ordered: [VisitedRegion] = []
    ordered.reserveCapacity(tile.entries.count)
    for entry in tile.entries {
      guard let region = regions[entry.id] else {
        throw .damaged(path: connection.path, detail: "regions has no row \(entry.id)")
      }
      ordered.append(region)
    }
    let details = CachedDetails(ordered, names: names)
    tiles.keep(tile.with(details), as: geohash, at: revision)
    return details
  }

  /// Calls `body` with the id and center of every region whose geohash begins with `geohash`,
  /// ordered by id.
  func forEachRegionPlace(
    in geohash: Geohash, _ body: (Int64, Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try forEachRegionPlace(RegionID.range(of: geohash), body)
  }

  /// Does the same for all regions whose numbers lie in a range.
  func forEachRegionPlace(
    _ range: Range<Int64>, _ body: (Int64, Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try connection.cached(Connection.regionsInRange)
    select.bind(range)
    while try select.step() {
      let id = select.int64(at: 0)
      try body(id, try select.center(ofRegion: id, at: 1))
    }
  }
}
