import Geodesy
import SQLiteLayer

/// A visited region as stored, with the number of its place instead of names.
package struct RegionRow: Hashable, Sendable {
  /// Its number: the geohash of the center and a counter.
  package let id: Int64
  /// The center.
  package let center: Coordinate
  /// The number of its names in ``Snapshot/placesByNumber()``; nil if it has none.
  package let place: Int64?
  /// Radius in meters.
  package let radiusMeters: Int
  /// Best horizontal accuracy in meters; nil if unknown.
  package let accuracyMeters: Double?
  /// From its first to its last time; nil if no fix has a time.
  package let span: Visit?
  /// The number of visits.
  package let visitCount: Int
}

extension Snapshot {
  /// Calls `body` with each visited region, ordered by number.
  ///
  /// - Throws: `DatabaseError`, and any error that `body` throws.
  /// - Complexity: O(regions); memory for one region.
  package func forEachRegionRow(_ body: (RegionRow) throws -> Void) throws {
    let select = try Statement(
      "SELECT \(VisitedRegion.columns) FROM regions ORDER BY id", on: connection)
    while try select.step() {
      let id = try select.regionID(at: 0)
      var rowName: String { "regions, row \(id)" }
      try body(
        RegionRow(
          id: id, center: try select.coordinateE7(at: 1, of: rowName),
          place: select.optionalInt64(at: 3),
          radiusMeters: try select.int(at: 5, in: StoredRange.radiusMeters, of: rowName),
          accuracyMeters: try select.optionalAccuracy(at: 4, of: rowName),
          span: try Visit(row: select, from: 6, of: rowName),
          visitCount: try select.int(at: 8, in: StoredRange.regionVisits, of: rowName)))
    }
  }

  /// Calls `body` with the visits of known times to each region, regions ordered by number and
  /// visits by time.
  ///
  /// - Throws: `DatabaseError`, and any error that `body` throws.
  /// - Complexity: O(regions), and one search for each region that was visited more than once.
  package func forEachVisit(_ body: (_ region: Int64, _ visit: Visit) throws -> Void) throws {
    let select = try Statement(
      "SELECT id, start_ms, end_ms, visit_count FROM regions WHERE start_ms NOTNULL ORDER BY id",
      on: connection)
    while try select.step() {
      let id = try select.regionID(at: 0)
      guard let span = try Visit(row: select, from: 1, of: "regions, row \(id)") else { continue }
      let repeats =
        select.int64(at: 3) > 1
        ? try connection.cached(Connection.repeatVisits).repeatVisits(
          ofRegion: id, since: span.start) : []
      for visit in repeats.isEmpty ? [span] : repeats { try body(id, visit) }
    }
  }

  /// Returns the names of all places by their numbers.
  ///
  /// - Complexity: O(places), in time and memory.
  package func placesByNumber() throws(DatabaseError) -> [Int64: PlaceNames] {
    let select = try connection.cached("SELECT id, \(StoredPlaces.columns) FROM places")
    var places: [Int64: PlaceNames] = [:]
    while try select.step() { places[select.int64(at: 0)] = PlaceNames(row: select, from: 1) }
    return places
  }
}
