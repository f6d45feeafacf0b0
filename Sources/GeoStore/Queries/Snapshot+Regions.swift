import Geodesy

/// A region and how far it is.
public struct RegionMatch: Hashable, Sendable {
  /// The region.
  public let region: VisitedRegion
  /// Distance in metres on the ellipsoid from the point that was asked for to its centre.
  public let distanceMeters: Double
}

extension Snapshot {
  /// The regions whose centre lies within `radiusMeters` (inclusive) of `center`, nearest first; equally far ones
  /// by id.
  ///
  /// - Parameter limit: at most so many, the nearest; nil for all.
  /// - Complexity: O(regions in the box around the circle, in whole geohash cells).
  public func regions(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) throws(StoreError) -> [RegionMatch] {
    var found: [(id: Int64, meters: Double)] = []
    let box = BoundingBox(around: center, radiusMeters: radiusMeters)
    try forEachCandidate(in: box) { id, coordinate in
      let meters = center.distanceMeters(to: coordinate)
      if meters <= radiusMeters { found.append((id, meters)) }
    }
    found.sort { ($0.meters, $0.id) < ($1.meters, $1.id) }
    var matches: [RegionMatch] = []
    for (id, meters) in found.prefix(limit ?? found.count) {
      matches.append(RegionMatch(region: try region(id: id), distanceMeters: meters))
    }
    return matches
  }

  /// The regions whose centre lies in a box, edges included, by id. The box may cross ±180°.
  ///
  /// - Parameter limit: at most so many, the oldest; nil for all.
  /// - Complexity: O(regions in the box, in whole geohash cells).
  public func regions(
    in box: BoundingBox, limit: Int? = nil
  ) throws(StoreError) -> [VisitedRegion] {
    var ids: [Int64] = []
    try forEachCandidate(in: box) { id, coordinate in
      if box.contains(coordinate) { ids.append(id) }
    }
    ids.sort()
    var regions: [VisitedRegion] = []
    for id in ids.prefix(limit ?? ids.count) { regions.append(try region(id: id)) }
    return regions
  }

  /// Every region, by id. For exports and for checks.
  public func allRegions() throws(StoreError) -> [VisitedRegion] {
    let select = try Statement(
      "SELECT \(VisitedRegion.columns) FROM visited_regions ORDER BY id", on: connection)
    var regions: [VisitedRegion] = []
    while try select.step() { regions.append(try VisitedRegion(row: select, path: connection.path)) }
    return regions
  }

  /// The visits to a region, in order of time.
  public func visits(toRegion id: Int64) throws(StoreError) -> [Visit] {
    let select = try connection.cached(
      "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms")
    defer { select.reset() }
    select.bind(id, at: 1)
    var visits: [Visit] = []
    while try select.step() {
      visits.append(try Visit(row: select, path: connection.path))
    }
    return visits
  }

  /// Calls `body` for every region in the geohash cells that cover a box, by the covering index alone. Some lie outside.
  private func forEachCandidate(
    in box: BoundingBox, _ body: (Int64, Coordinate) -> Void
  ) throws(StoreError) {
    let lengths = stride(from: 6, through: 1, by: -1).lazy
    let cover = lengths.map { (length: $0, cover: Geohash.Cover(of: box, length: $0)) }
      .first { $0.cover.count <= 32 }
    guard let (length, cover) = cover else { return try forEachCandidate(from: "", below: "{", body) }
    for row in cover.rows {
      for columns in cover.columns {
        for column in columns {
          let range = Geohash(column: column, row: row, length: length).textRange
          try forEachCandidate(from: range.from, below: range.below, body)
        }
      }
    }
  }

  private func forEachCandidate(
    from first: String, below end: String, _ body: (Int64, Coordinate) -> Void
  ) throws(StoreError) {
    let select = try connection.cached(
      """
      SELECT id, latitude, longitude FROM visited_regions INDEXED BY visited_regions_by_geohash
      WHERE geohash >= ?1 AND geohash < ?2
      """)
    defer { select.reset() }
    select.bind(first, at: 1)
    select.bind(end, at: 2)
    while try select.step() {
      let id = select.int64(at: 0)
      guard
        let coordinate = try? Coordinate(
          latitudeDegrees: select.double(at: 1), longitudeDegrees: select.double(at: 2))
      else { throw .damaged(path: connection.path, detail: "visited region \(id) has no valid position") }
      body(id, coordinate)
    }
  }

  private func region(id: Int64) throws(StoreError) -> VisitedRegion {
    let select = try connection.cached(
      "SELECT \(VisitedRegion.columns) FROM visited_regions WHERE id = ?1")
    defer { select.reset() }
    select.bind(id, at: 1)
    guard try select.step() else {
      throw .damaged(path: connection.path, detail: "visited region \(id) is in an index only")
    }
    return try VisitedRegion(row: select, path: connection.path)
  }
}
