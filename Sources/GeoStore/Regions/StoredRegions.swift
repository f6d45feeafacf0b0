import Geodesy

/// Where a window of regions reads what is stored.
protocol RegionSource {
  /// Appends the regions whose geohash begins with another.
  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)]) throws(StoreError)
}

/// The regions of a database and their visits, read by who is about to change them.
final class StoredRegions: RegionSource {
  private let path: String
  private let selectRegions: Statement
  private let selectVisits: Statement

  init(connection: Connection) throws(StoreError) {
    path = connection.path
    selectRegions = try Statement(
      """
      SELECT id, latitude, longitude FROM visited_regions INDEXED BY visited_regions_by_geohash
      WHERE geohash >= ?1 AND geohash < ?2
      """, on: connection)
    selectVisits = try Statement(
      "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection)
  }

  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)]) throws(StoreError) {
    let range = cell.textRange
    selectRegions.bind(range.from, at: 1)
    selectRegions.bind(range.below, at: 2)
    defer { selectRegions.reset() }
    while try selectRegions.step() {
      let id = selectRegions.int64(at: 0)
      guard
        let center = try? Coordinate(
          latitudeDegrees: selectRegions.double(at: 1), longitudeDegrees: selectRegions.double(at: 2))
      else { throw .damaged(path: path, detail: "visited region \(id) has no valid position") }
      found.append((id, center))
    }
  }

  /// The visits of a region.
  func visits(of id: Int64) throws(StoreError) -> VisitList {
    selectVisits.bind(id, at: 1)
    defer { selectVisits.reset() }
    guard try selectVisits.step() else { return VisitList() }
    let first = try Visit(row: selectVisits, path: path)
    guard try selectVisits.step() else { return VisitList(first) }
    var visits = [first]
    repeat { visits.append(try Visit(row: selectVisits, path: path)) } while try selectVisits.step()
    return VisitList(stored: visits)
  }
}
