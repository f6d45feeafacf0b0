import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns the regions whose centers lie within `radiusMeters` (inclusive) of `center`, nearest
  /// first; equal distances are ordered by id.
  ///
  /// - Parameters:
  ///   - center: the center of the circle.
  ///   - radiusMeters: its radius on the ellipsoid.
  ///   - limit: the maximum number of regions, nearest first; nil for all.
  /// - Complexity: O(n + hits × log hits), where n is the number of regions in the box around the
  ///   circle. Tiles of regions are read once and stay in memory
  ///   (``StoreOptions/cachedTileBytes``); later searches there read nothing from the database.
  package func hits(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) throws(DatabaseError) -> [RegionHit] {
    var hits: [RegionHit] = []
    try forEachBatch(in: CircleSearch(center: center, radiusMeters: radiusMeters)) { batch in
      hits += batch
    }
    hits.sortByDistance()
    if let limit, limit < hits.count { hits.removeSubrange(max(0, limit)...) }
    return hits
  }

  /// Calls `body` with all regions within `radiusMeters` (inclusive) of `center`, in no particular
  /// order, some dozens at a time.
  ///
  /// - Complexity: O(regions in the box around the circle); no memory for results.
  package func forEachBatch(
    near center: Coordinate, radiusMeters: Double, _ body: (UnsafeBufferPointer<RegionHit>) -> Void
  ) throws(DatabaseError) {
    try forEachBatch(in: CircleSearch(center: center, radiusMeters: radiusMeters), body)
  }

  /// Returns the number of regions within `radiusMeters` (inclusive) of `center`.
  ///
  /// - Complexity: O(regions in the box around the circle).
  package func hitCount(
    near center: Coordinate, radiusMeters: Double
  ) throws(DatabaseError) -> Int {
    var count = 0
    try forEachBatch(near: center, radiusMeters: radiusMeters) { count += $0.count }
    return count
  }

  /// Returns the `count` regions nearest to `center`, nearest first; equal distances are ordered by
  /// id. The result is shorter if the store has fewer regions.
  ///
  /// - Complexity: twice that of ``hits(near:radiusMeters:limit:)`` with the radius that contains
  ///   them; O(regions) if that radius exceeds about 200 km.
  package func nearestHits(
    to center: Coordinate, count: Int
  ) throws(DatabaseError) -> [RegionHit] {
    guard count > 0 else { return [] }
    var radius = 250.0
    while true {
      let search = CircleSearch(center: center, radiusMeters: radius)
      guard TileCovering(of: search.box).count <= Self.maximumTiles else { break }
      var hits: [RegionHit] = []
      try forEachBatch(in: search) { hits += $0 }
      if hits.count >= count {
        hits.sortByDistance()
        return Array(hits.prefix(count))
      }
      radius *= 2
    }
    // Beyond that distance, scan all regions and keep the best.
    var best: [RegionHit] = []
    // Keep up to twice the count and some more at a time. A count beyond any possible number keeps
    // all.
    let capacity = count < Int(Int32.max) ? 2 * count + 1_024 : Int.max
    try forEachRegionPlace(RegionID.all) { id, coordinate in
      let hit = RegionHit(
        id: id, coordinate: coordinate, distanceMeters: center.distanceMeters(to: coordinate))
      best.append(hit)
      if best.count >= capacity {
        best.sortByDistance()
        best.removeSubrange(count...)
      }
    }
    best.sortByDistance()
    return Array(best.prefix(count))
  }

  /// Returns the regions within `radiusMeters` (inclusive) of `center` with all their details,
  /// nearest first; equal distances are ordered by id.
  ///
  /// - Parameters:
  ///   - center: the center of the circle.
  ///   - radiusMeters: its radius on the ellipsoid.
  ///   - limit: the maximum number of regions, nearest first; nil for all.
  /// - Complexity: O(n + matches × log matches), where n is the number of regions in the box around
  ///   the circle. Tiles of regions are read once and stay in memory: up to 256 MB, for later
  ///   searches there. The details of a tile's regions are also read only once: by the second
  ///   search that needs them, or by a search that returns more than a quarter of them. A first
  ///   search reads the rows of its matches.
  /// - Throws: `DatabaseError`.
  public func regions(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) throws(DatabaseError) -> [RegionMatch] {
    let search = CircleSearch(center: center, radiusMeters: radiusMeters)
    guard TileCovering(of: search.box).count <= Self.maximumTiles else {
      let names = StoredPlaces(connection)
      var matches: [RegionMatch] = []
      for hit in try hits(near: center, radiusMeters: radiusMeters, limit: limit) {
        matches.append(
          RegionMatch(region: try region(id: hit.id, names), distanceMeters: hit.distanceMeters))
      }
      return matches
    }
    var (found, details, isComplete) = try locate(search, limit: limit)
    found.sortByDistance()
    if let limit, limit < found.count { found.removeSubrange(max(0, limit)...) }
    if isComplete {
      return found.map { place in
        RegionMatch(
          region: details[Int(place.tile)].regions[Int(place.index)],
          distanceMeters: place.distanceMeters)
      }
    }
    let names = StoredPlaces(connection)
    var matches: [RegionMatch] = []
    for place in found {
      let known = details[Int(place.tile)].regions
      let region =
        if known.isEmpty { try region(id: place.id, names) } else { known[Int(place.index)] }
      matches.append(RegionMatch(region: region, distanceMeters: place.distanceMeters))
    }
    return matches
  }

  /// Returns the `count` regions nearest to `center` with all their details, nearest first; equal
  /// distances are ordered by id.
  ///
  /// - Complexity: twice that of ``regions(near:radiusMeters:limit:)`` with the radius that
  ///   contains them; O(regions) if that radius exceeds about 200 km.
  /// - Throws: `DatabaseError`.
  public func nearestRegions(to center: Coordinate, count: Int) throws(DatabaseError)
    -> [RegionMatch]
  {
    let hits = try nearestHits(to: center, count: count)
    guard let farthest = hits.last else { return [] }
    // Slightly more than the distance, so that the farthest one is certainly included: both
    // searches measure distances the same way.
    return try Array(
      regions(near: center, radiusMeters: farthest.distanceMeters * (1 + 1e-9) + 0.002).prefix(
        count))
  }

  /// Number of tiles up to which a search uses cached tiles; beyond, it reads the table. 400 tiles
  /// are a square of 500 km at the equator.
  static let maximumTiles = 400

  private func forEachBatch(
    in search: CircleSearch, _ body: (UnsafeBufferPointer<RegionHit>) -> Void
  ) throws(DatabaseError) {
    let cover = TileCovering(of: search.box)
    guard cover.count <= Self.maximumTiles else {
      // More tiles than any circle has that is small enough to be measured by series.
      return try forEachCandidate(in: search.box) { id, coordinate in
        guard let meters = search.exactMeters(to: coordinate) else { return }
        let hit = RegionHit(id: id, coordinate: coordinate, distanceMeters: meters)
        // Sound: one hit, alive during the call, to which `body` keeps no pointer.
        withUnsafePointer(to: hit) { body(UnsafeBufferPointer(start: $0, count: 1)) }
      }
    }
    try cover.forEachTile { (part) throws(DatabaseError) in
      let tile = try cachedTile(part.geohash)
      search.forEachBlock(in: tile, part) { block in
        if !block.hits.isEmpty { body(block.hits) }
      }
    }
  }

  /// Finds the positions in the cached tiles of the regions in a circle, in no particular order:
  /// 24 bytes each, so that sorting moves little.
  ///
  /// `details` has an element for each tile. It is ``CachedDetails/none`` if none of the tile's
  /// regions was found, or if few were found and this is the first request: a process that asks
  /// only once would otherwise read a hundred rows for each row that it shows. `isComplete` is true
  /// if the second case did not occur.
  private func locate(
    _ search: CircleSearch, limit: Int?
  ) throws(DatabaseError) -> (found: [LocatedRegion], details: [CachedDetails], isComplete: Bool) {
    var (found, details, isComplete): ([LocatedRegion], [CachedDetails], Bool) = ([], [], true)
    try TileCovering(of: search.box).forEachTile { (part) throws(DatabaseError) in
      let tile = try cachedTile(part.geohash)
      let (number, before) = (Int32(details.count), found.count)
      details.append(tile.details ?? .none)
      search.forEachBlock(in: tile, part) { block in
        for (index, hit) in block.hits.enumerated() {
          found.append(
            LocatedRegion(
              id: hit.id, distanceMeters: hit.distanceMeters, tile: number,
              index: Int32(truncatingIfNeeded: block.tileIndex(of: index))))
        }
      }
      let shown = min(found.count - before, limit ?? .max)
      guard tile.details == nil, shown > 0 else { return }
      if shown * 4 > tile.entries.count || tiles.wasAsked(part.geohash, at: revision) {
        details[Int(number)] = try readDetails(of: tile, part.geohash)
      } else {
        isComplete = false
      }
    }
    return (found, details, isComplete)
  }
}

/// A region's position in a cached tile, and its distance.
private struct LocatedRegion: Ranked {
  let id: Int64
  let distanceMeters: Double
  let tile: Int32
  let index: Int32
}
