import Geodesy
import SQLiteLayer

/// The visits to one region in a range of time.
package struct RegionSpan: Hashable, Sendable {
  /// The center of the region.
  package let center: Coordinate
  /// The number of visits that share a moment with the range.
  package let visits: Int
  /// The first moment of these visits in the range; nil if no fix has a time.
  package let first: Timestamp?
  /// The last moment of these visits in the range; nil if no fix has a time.
  package let last: Timestamp?
}

extension Snapshot {
  /// Calls `body` with the center, visit count, and first and last fix time of each visited region,
  /// ordered by id.
  ///
  /// - Complexity: O(regions); memory for one region.
  package func forEachRegionSpan(
    _ body: (Coordinate, _ visitCount: Int, _ first: Timestamp?, _ last: Timestamp?) -> Void
  ) throws(DatabaseError) {
    try forEachRegionSpan(in: nil) { body($0.center, $0.visits, $0.first, $0.last) }
  }

  /// Calls `body` with each region that has a visit in a range of time, ordered by id.
  ///
  /// A visit counts if it shares a moment with the range; `first` and `last` are limited to the
  /// range. Of visits that an adopted region claims without their times, only the range of all of
  /// them is known: they count if it lies in the range, and as one visit if it merely overlaps it.
  ///
  /// - Parameter times: the range, ends included; nil for all regions, also those without a time.
  /// - Complexity: O(regions), and one search for each region that was visited more than once
  ///   around that time.
  package func forEachRegionSpan(
    in times: ClosedRange<Timestamp>?, _ body: (RegionSpan) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      """
      SELECT id, latitude_e7, longitude_e7, visit_count, start_ms, end_ms
      FROM regions ORDER BY id
      """, on: connection)
    while try select.step() {
      let id = try select.regionID(at: 0)
      var rowName: String { "regions, row \(id)" }
      let visit = try Visit(row: select, from: 4, of: rowName)
      let center = try select.coordinateE7(at: 1, of: rowName)
      let visits = try select.int(at: 3, in: StoredRange.regionVisits, of: rowName)
      guard let times else {
        body(RegionSpan(center: center, visits: visits, first: visit?.start, last: visit?.end))
        continue
      }
      guard let visit, times.overlaps(visit.start...visit.end) else { continue }
      let found = visits == 1 ? [visit] : try self.visits(ofRegion: id, whole: visit)
      var tally = SpanTally(times: times)
      for visit in found { tally.add(visit) }
      if visits > found.count { try addStatedVisits(ofRegion: id, besides: found, to: &tally) }
      guard let first = tally.first, let last = tally.last else { continue }
      body(
        RegionSpan(center: center, visits: min(tally.visits, visits), first: first, last: last))
    }
  }

  /// The visits of known times to a region that was visited more than once; that of its own row
  /// where no other is known.
  private func visits(ofRegion id: Int64, whole: Visit) throws(DatabaseError) -> [Visit] {
    let repeats = try connection.cached(Connection.repeatVisits).repeatVisits(
      ofRegion: id, since: whole.start)
    return repeats.isEmpty ? [whole] : repeats
  }

  private func addStatedVisits(
    ofRegion id: Int64, besides known: [Visit], to tally: inout SpanTally
  ) throws(DatabaseError) {
    let stated = try connection.cached(
      "SELECT start_ms, end_ms, visit_count FROM stated_visits WHERE region_id = ?1")
    stated.bind(id, at: 1)
    while try stated.step() {
      let name = "stated_visits, region \(id)"
      guard let range = try Visit(row: stated, of: name) else { continue }
      let unseen = StatedVisits(
        range: range.start...range.end,
        count: try stated.int(at: 2, in: StoredRange.statedVisits, of: name)
      ).unseen(among: known)
      if unseen > 0 { tally.add(range, statedVisits: unseen) }
    }
  }
}

/// Adds up the visits to one region in a range of time.
private struct SpanTally {
  let times: ClosedRange<Timestamp>
  var visits = 0
  var first: Timestamp?
  var last: Timestamp?

  init(times: ClosedRange<Timestamp>) { self.times = times }

  mutating func add(_ visit: Visit, statedVisits: Int = 1) {
    guard times.overlaps(visit.start...visit.end) else { return }
    let isInside = visit.start >= times.lowerBound && visit.end <= times.upperBound
    visits += isInside ? statedVisits : 1
    let (start, end) = (max(visit.start, times.lowerBound), min(visit.end, times.upperBound))
    first = first.map { min($0, start) } ?? start
    last = last.map { max($0, end) } ?? end
  }
}
