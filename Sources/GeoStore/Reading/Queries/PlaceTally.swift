import Geodesy
import SQLiteLayer

/// Counts of the visited regions of a place.
struct PlaceTally {
  let place: PlaceNames
  var visitedRegions = 0
  var visits = 0
  /// First and last fix time in milliseconds since 1970; nil if no fix has one.
  var first: Int64?
  var last: Int64?

  init(place: PlaceNames) { self.place = place }

  /// Adds the counts of another place.
  mutating func add(_ other: PlaceTally) {
    visitedRegions += other.visitedRegions
    visits += other.visits
    if let start = other.first { first = min(first ?? start, start) }
    if let end = other.last { last = max(last ?? end, end) }
  }

  /// Adds a region.
  mutating func add(visits count: Int, _ visit: Visit?) {
    visitedRegions += 1
    visits += count
    guard let visit else { return }
    let (start, end) = (visit.start.millisecondsSince1970, visit.end.millisecondsSince1970)
    first = min(first ?? start, start)
    last = max(last ?? end, end)
  }
}

extension Snapshot {
  /// Counts the visited regions by place: one tally for each row of `places` that a region
  /// references, and one for the regions without a place.
  ///
  /// - Complexity: O(regions); memory for the places.
  func placeTallies() throws(DatabaseError) -> [PlaceTally] {
    try placeTallies(readingCenters: false) { _, _, _ in }
  }

  /// Does the same, and calls `body` with each region, ordered by id, and the number of its place.
  func placeTallies(
    visiting body: (RegionSpan, _ place: Int64?) -> Void
  ) throws(DatabaseError) -> [PlaceTally] {
    try placeTallies(readingCenters: true) { (select, visits, visit) throws(DatabaseError) in
      let center = try select.center(ofRegion: try select.regionID(at: 0), at: 5)
      body(
        RegionSpan(center: center, visits: visits, first: visit?.start, last: visit?.end),
        select.isNull(at: 1) ? nil : select.int64(at: 1))
    }
  }

  /// Calls `body` with each row: its statement, which has the number in the first column and, if it
  /// is wanted, the center in the sixth and seventh; the visit count; the first and last fix time.
  private func placeTallies(
    readingCenters readsCenters: Bool,
    _ body: (borrowing Statement, Int, Visit?) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> [PlaceTally] {
    let names = StoredPlaces(connection)
    let center = readsCenters ? ", latitude_e7, longitude_e7" : ""
    let select = try Statement(
      "SELECT id, place_id, start_ms, end_ms, visit_count\(center) FROM regions ORDER BY id",
      on: connection)
    var tallies: [PlaceTally] = []
    var index: [Int64?: Int] = [:]
    var last: (id: Int64?, index: Int)?
    while try select.step() {
      let id = select.int64(at: 0)
      let visit = try Visit(row: select, from: 2, of: "regions, row \(id)")
      let count = try select.int(at: 4, in: StoredRange.regionVisits, of: "regions, row \(id)")
      try body(select, count, visit)
      let place = select.isNull(at: 1) ? nil : select.int64(at: 1)
      if last?.id != place || last == nil {
        if let known = index[place] {
          last = (place, known)
        } else {
          tallies.append(PlaceTally(place: try names.names(select, at: 1, of: id).names))
          index[place] = tallies.count - 1
          last = (place, tallies.count - 1)
        }
      }
      if let last { tallies[last.index].add(visits: count, visit) }
    }
    return tallies
  }
}
