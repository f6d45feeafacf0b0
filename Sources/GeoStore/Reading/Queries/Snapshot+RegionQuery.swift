import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns the regions that match a query, ordered by id.
  ///
  /// For the next page, call it again with the last id returned. No region that existed at the
  /// start is missed and none is returned twice, even while regions are added.
  ///
  /// - Parameters:
  ///   - query: the conditions.
  ///   - after: only ids greater than this.
  ///   - limit: the maximum number of regions; nil for all.
  /// - Complexity: O(regions in the boxes around the area), from memory once they have been read;
  ///   O(regions) for areas of more than about 500 km, and for everywhere.
  /// - Throws: `DatabaseError`.
  public func regions(
    matching query: RegionQuery, after: Int64? = nil, limit: Int? = nil
  ) throws(DatabaseError) -> [VisitedRegion] {
    var regions: [VisitedRegion] = []
    guard limit != 0 else { return regions }
    try forEachRegion(matching: query, after: after) { region in
      regions.append(region)
      return regions.count != limit
    }
    return regions
  }

  /// Returns the number of regions that match a query.
  ///
  /// - Complexity: that of ``regions(matching:after:limit:)``. For a large area, memory does not
  ///   grow with the number of regions.
  /// - Throws: `DatabaseError`.
  public func countRegions(matching query: RegionQuery) throws(DatabaseError) -> Int {
    var count = 0
    try forEachRegion(matching: query) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Calls `body` with the regions that match a query, ordered by id, until it returns false.
  ///
  /// - Complexity: that of ``regions(matching:after:limit:)``. Memory for one region if the area is
  ///   large, otherwise for the regions in the area.
  package func forEachRegion(
    matching query: RegionQuery, after: Int64? = nil,
    _ body: (VisitedRegion) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    if let covers = query.boxes?.map(TileCovering.init(of:)),
      covers.reduce(0, { $0 + $1.count }) <= Self.maximumTiles
    {
      for region in try regions(of: covers, query, after: after) {
        if try hasVisit(region, in: query), try !body(region) { return }
      }
      return
    }
    let names = StoredPlaces(connection)
    let places = try placeNumbers(query)
    let condition = "AND place_id IN (SELECT value FROM json_each(?2))"
    let select = try Statement(
      """
      SELECT \(VisitedRegion.columns) FROM regions
      WHERE id > ?1 \(places == nil ? "" : condition) ORDER BY id
      """, on: connection)
    select.bind(after ?? -1, at: 1)
    if let places { select.bind(places, at: 2) }
    while try select.step() {
      let region = try VisitedRegion(row: select, names: names)
      if query.matches(region), try hasVisit(region, in: query), try !body(region) { return }
    }
  }

  /// The numbers of the places that meet a query's conditions as a JSON array; nil where any place
  /// will do.
  ///
  /// Names are compared here, not by SQL, which would compare their bytes: "é" may be one character
  /// or two.
  private func placeNumbers(_ query: RegionQuery) throws(DatabaseError) -> String? {
    guard
      query.countryCode != nil || query.regions != nil || query.regionCode != nil
        || query.cities != nil
    else { return nil }
    let select = try Statement("SELECT id, \(StoredPlaces.columns) FROM places", on: connection)
    var numbers: [String] = []
    while try select.step() {
      if query.matches(PlaceNames(row: select, from: 1)) {
        numbers.append(String(select.int64(at: 0)))
      }
    }
    return "[\(numbers.joined(separator: ","))]"
  }

  /// The regions of some tiles that match, by id, each once where covers overlap.
  private func regions(
    of covers: [TileCovering], _ query: RegionQuery, after: Int64?
  ) throws(DatabaseError) -> [VisitedRegion] {
    var found: [VisitedRegion] = []
    for cover in covers {
      try cover.forEachTile { (part) throws(DatabaseError) in
        let (tile, details) = try detailedTile(part.geohash)
        tile.forEachEntry(rows: part.rows, westE7: part.westE7, eastE7: part.eastE7) {
          index, entry in
          if entry.id > after ?? .min, query.matches(details.regions[index]) {
            found.append(details.regions[index])
          }
        }
      }
    }
    found.sort { $0.id < $1.id }
    guard covers.count > 1 else { return found }
    var last: Int64?
    return found.filter { region in
      defer { last = region.id }
      return region.id != last
    }
  }

  /// Returns whether a region whose time range overlaps the query's has a visit in the query's
  /// range. If only the overall range of an adopted region's visits is known, the range counts as
  /// one visit.
  private func hasVisit(_ region: VisitedRegion, in query: RegionQuery) throws(DatabaseError)
    -> Bool
  {
    guard let times = query.times, region.visitCount > 1 else { return true }
    guard let start = region.timestampStart else { return true }
    let repeats = try connection.cached(Connection.repeatVisits).repeatVisits(
      ofRegion: region.id, since: start)
    // No visit other than the one in its row: an adopted region of which one visit is known.
    if repeats.isEmpty || repeats.contains(where: { times.overlaps($0.start...$0.end) }) {
      return true
    }
    let stated = try connection.cached(
      """
      SELECT 1 FROM stated_visits WHERE region_id = ?1 AND start_ms <= ?3 AND end_ms >= ?2 LIMIT 1
      """)
    stated.bind(region.id, at: 1)
    stated.bind(times.lowerBound.millisecondsSince1970, at: 2)
    stated.bind(times.upperBound.millisecondsSince1970, at: 3)
    return try stated.step()
  }
}
