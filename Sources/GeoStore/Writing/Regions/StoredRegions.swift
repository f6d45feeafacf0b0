import Geodesy
import SQLiteLayer

/// Where a window of regions reads what is stored.
protocol RegionSource {
  /// Appends the regions whose geohash begins with another.
  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)])
    throws(DatabaseError)
}

/// The regions of a database and their visits, read by who is about to change them.
final class StoredRegions: RegionSource {
  private let selectRegions: Statement
  private let selectVisits: Statement

  init(connection: Connection) throws(DatabaseError) {
    selectRegions = try Statement(
      """
      SELECT id, latitude, longitude FROM visited_regions INDEXED BY visited_regions_by_geohash
      WHERE geohash >= ?1 AND geohash < ?2
      """, on: connection)
    selectVisits = try Statement(
      "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection)
  }

  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)])
    throws(DatabaseError)
  {
    let range = cell.textRange
    selectRegions.bind(range.from, at: 1)
    selectRegions.bind(range.below, at: 2)
    defer { selectRegions.reset() }
    while try selectRegions.step() {
      let id = try selectRegions.rowID(at: 0, of: "visited_regions")
      found.append((id, try selectRegions.coordinate(at: 1, of: "visited_regions, row \(id)")))
    }
  }

  /// The visits of a region.
  func visits(of id: Int64) throws(DatabaseError) -> VisitList {
    selectVisits.bind(id, at: 1)
    defer { selectVisits.reset() }
    guard try selectVisits.step() else { return VisitList() }
    let first = try Visit(row: selectVisits, region: id)
    guard try selectVisits.step() else { return VisitList(first) }
    var visits = [first]
    repeat { visits.append(try Visit(row: selectVisits, region: id)) } while try selectVisits.step()
    return VisitList(stored: visits)
  }
}
