import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

/// The visited regions of a place, and when they were visited.
struct PlacePresence {
  var visitedRegions = 0
  var visits = 0
  var firstTime: Timestamp?
  var lastTime: Timestamp?
  /// The days of these times by the query's clock.
  var firstDay: String?
  var lastDay: String?

  /// Adds those of another place of the same name: two places of one name are one to a person.
  mutating func add(_ other: PlacePresence) {
    visitedRegions += other.visitedRegions
    visits += other.visits
    if let time = other.firstTime, firstTime.map({ time < $0 }) ?? true {
      (firstTime, firstDay) = (time, other.firstDay)
    }
    if let time = other.lastTime, lastTime.map({ time > $0 }) ?? true {
      (lastTime, lastDay) = (time, other.lastDay)
    }
  }
}

extension Explorer {
  /// The visited regions by the place of their center. A city that extends into a neighboring
  /// region is one place, so the names stored with the visited regions do not identify it.
  ///
  /// - Parameters:
  ///   - query: the range of time and the clock.
  ///   - area: only regions in it; nil for all.
  /// - Complexity: O(visited regions), with one lookup each.
  func placePresences(
    in snapshot: Snapshot, by level: PlaceLevel, _ query: StatisticsQuery, area: PlaceArea?
  ) throws(DatabaseError) -> [PlaceNames: PlacePresence] {
    struct Sum {
      var regions = 0
      var visits = 0
      var first: (time: Timestamp, center: Coordinate)?
      var last: (time: Timestamp, center: Coordinate)?
    }
    var sums: [Sum] = []
    var indexes: [PlaceKey: Int] = [:]
    // Most regions are in the place of the one before, which needs no search.
    var last: (key: PlaceKey, index: Int)?
    func index(of key: PlaceKey) -> Int {
      if let last, last.key == key { return last.index }
      let index = indexes[key, default: sums.count]
      if index == sums.count {
        indexes[key] = index
        sums.append(Sum())
      }
      last = (key, index)
      return index
    }
    var track = TrackGeocoder(geocoder)
    try snapshot.forEachRegionSpan(in: query.times) { span in
      guard area?.contains(span.center) ?? true else { return }
      let index = index(of: PlaceKey(at: span.center, level: level, along: &track))
      sums[index].regions += 1
      sums[index].visits += span.visits
      if let first = span.first, sums[index].first.map({ first < $0.time }) ?? true {
        sums[index].first = (first, span.center)
      }
      if let last = span.last, sums[index].last.map({ last > $0.time }) ?? true {
        sums[index].last = (last, span.center)
      }
    }
    var clock = LocalClock(geocoder: geocoder)
    func day(_ moment: (time: Timestamp, center: Coordinate)?) -> String? {
      guard let moment else { return nil }
      let days = query.clock.daysSince1970(moment.time, at: moment.center, by: &clock)
      return "\(Period(daysSince1970: days, .day))"
    }
    var presences: [PlaceNames: PlacePresence] = [:]
    for (key, index) in indexes {
      let sum = sums[index]
      presences[names(of: key), default: PlacePresence()].add(
        PlacePresence(
          visitedRegions: sum.regions, visits: sum.visits, firstTime: sum.first?.time,
          lastTime: sum.last?.time, firstDay: day(sum.first), lastDay: day(sum.last)))
    }
    return presences
  }
}
