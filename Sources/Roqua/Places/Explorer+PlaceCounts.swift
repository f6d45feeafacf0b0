import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The number of visited regions by the place of their center. A city that extends into a
  /// neighboring region is one place, so the names stored with the visited regions do not identify
  /// it.
  ///
  /// - Complexity: O(visited regions), with one lookup each.
  func placeCounts(
    in snapshot: Snapshot, by level: PlaceLevel
  ) throws(DatabaseError) -> [PlaceNames: PlaceCounts] {
    struct Sum {
      var regions = 0
      var visits = 0
      var first: Timestamp?
      var last: Timestamp?
    }
    var sums: [PlaceKey: Sum] = [:]
    try snapshot.forEachRegionSpan { center, visitCount, first, last in
      let key = PlaceKey(at: center, level: level, geocoder: geocoder)
      var sum = sums[key] ?? Sum()
      sum.regions += 1
      sum.visits += visitCount
      if let first { sum.first = sum.first.map { min($0, first) } ?? first }
      if let last { sum.last = sum.last.map { max($0, last) } ?? last }
      sums[key] = sum
    }
    var counts: [PlaceNames: PlaceCounts] = [:]
    for (key, sum) in sums {
      let place = names(of: key)
      let other = counts[place]  // two places of one name are one to a person
      counts[place] = PlaceCounts(
        place: place, visitedRegions: sum.regions + (other?.visitedRegions ?? 0),
        visits: sum.visits + (other?.visits ?? 0),
        firstTime: [sum.first, other?.firstTime].compactMap { $0 }.min(),
        lastTime: [sum.last, other?.lastTime].compactMap { $0 }.max())
    }
    return counts
  }
}
