import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns every region, ordered by id. For exports and checks.
  package func allRegions() throws(DatabaseError) -> [VisitedRegion] {
    let select = try Statement(
      "SELECT \(VisitedRegion.columns) FROM regions ORDER BY id", on: connection)
    let names = StoredPlaces(connection)
    var regions: [VisitedRegion] = []
    while try select.step() {
      regions.append(try VisitedRegion(row: select, names: names))
    }
    return regions
  }

  /// Returns the visits to a region, ordered by time.
  ///
  /// - Throws: `DatabaseError`.
  public func visits(toRegion id: Int64) throws(DatabaseError) -> [Visit] {
    let select = try connection.cached("SELECT start_ms, end_ms FROM regions WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step(), let only = try Visit(row: select, of: "regions, row \(id)") else {
      return []
    }
    let repeats = try connection.cached(Connection.repeatVisits).repeatVisits(
      ofRegion: id, since: only.start)
    return repeats.isEmpty ? [only] : repeats
  }

  /// Calls `body` for every region in the geohash cells that cover a box, including regions outside
  /// the box.
  func forEachCandidate(
    in box: BoundingBox, _ body: (Int64, Coordinate) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let lengths = stride(from: 6, through: 1, by: -1).lazy
    let cover = lengths.map { (length: $0, cover: Geohash.Cover(of: box, length: $0)) }
      .first { $0.cover.count <= 32 }
    guard let (length, cover) = cover else {
      return try forEachRegionPlace(RegionID.all, body)
    }
    for row in cover.rows {
      for columns in cover.columns {
        for column in columns {
          try forEachRegionPlace(in: Geohash(column: column, row: row, length: length), body)
        }
      }
    }
  }

  /// Calls `body` with some regions, in the order of their ids here.
  ///
  /// - Complexity: a search for each.
  package func forEachRegion(
    withIDs ids: some Sequence<Int64>, _ body: (VisitedRegion) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let names = StoredPlaces(connection)
    for id in ids { try body(try region(id: id, names)) }
  }

  func region(id: Int64, _ names: StoredPlaces) throws(DatabaseError) -> VisitedRegion {
    let select = try connection.cached(
      "SELECT \(VisitedRegion.columns) FROM regions WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step() else {
      throw .damaged(path: connection.path, detail: "regions has no row \(id)")
    }
    return try VisitedRegion(row: select, names: names)
  }
}
