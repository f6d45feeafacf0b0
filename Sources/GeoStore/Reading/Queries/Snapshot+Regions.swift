import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Every region, by id. For exports and for checks.
  package func allRegions() throws(DatabaseError) -> [VisitedRegion] {
    let select = try Statement(
      "SELECT \(VisitedRegion.columns) FROM visited_regions ORDER BY id", on: connection)
    let names = PlaceNamesPool()
    var regions: [VisitedRegion] = []
    while try select.step() {
      regions.append(try VisitedRegion(row: select, names: names))
    }
    return regions
  }

  /// The visits to a region, in order of time.
  public func visits(toRegion id: Int64) throws(DatabaseError) -> [Visit] {
    let select = try connection.cached(
      "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms")
    select.bind(id, at: 1)
    var visits: [Visit] = []
    while try select.step() {
      visits.append(try Visit(row: select, region: id))
    }
    return visits
  }

  /// Calls `body` for every region in the geohash cells that cover a box, by the covering index
  /// alone. Some lie outside.
  func forEachCandidate(
    in box: BoundingBox, _ body: (Int64, Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let lengths = stride(from: 6, through: 1, by: -1).lazy
    let cover = lengths.map { (length: $0, cover: Geohash.Cover(of: box, length: $0)) }
      .first { $0.cover.count <= 32 }
    guard let (length, cover) = cover else {
      return try forEachRegionPlace(from: "", below: "{", body)
    }
    for row in cover.rows {
      for columns in cover.columns {
        for column in columns {
          try forEachRegionPlace(in: Geohash(column: column, row: row, length: length), body)
        }
      }
    }
  }

  func region(id: Int64, _ names: PlaceNamesPool) throws(DatabaseError) -> VisitedRegion {
    let select = try connection.cached(
      "SELECT \(VisitedRegion.columns) FROM visited_regions WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step() else {
      throw .damaged(path: connection.path, detail: "visited region \(id) is in an index only")
    }
    return try VisitedRegion(row: select, names: names)
  }
}
