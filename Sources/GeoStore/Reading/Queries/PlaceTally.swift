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
    let names = StoredPlaces(connection)
    let select = try Statement(
      "SELECT id, place_id, start_ms, end_ms, visit_count FROM regions", on: connection)
    var tallies: [PlaceTally] = []
    var index: [Int64?: Int] = [:]
    var last: (id: Int64?, index: Int)?
    while try select.step() {
      let id = select.int64(at: 0)
      let visit = try Visit(row: select, from: 2, of: "regions, row \(id)")
      let count = try select.int(at: 4, in: StoredRange.regionVisits, of: "regions, row \(id)")
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
