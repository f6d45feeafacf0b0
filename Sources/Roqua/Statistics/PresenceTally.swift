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

/// Adds up visited regions by the place of their center. A city that extends into a neighboring
/// region is one place, so the names stored with the visited regions do not identify it.
///
/// - Complexity: one lookup for each region; memory for the places.
struct PresenceTally {
  private struct Sum {
    var regions = 0
    var visits = 0
    var first: (time: Timestamp, center: Coordinate)?
    var last: (time: Timestamp, center: Coordinate)?
  }

  let level: PlaceLevel
  private let area: PlaceArea?
  private var sums: [Sum] = []
  private var indexes: [PlaceKey: Int] = [:]
  /// Most regions are in the place of the one before, which needs no search.
  private var last: (key: PlaceKey, index: Int)?
  private var track: TrackGeocoder

  /// Adds up nothing yet.
  ///
  /// - Parameter area: only regions in it count; nil for all.
  init(by level: PlaceLevel, area: PlaceArea?, geocoder: Geocoder) {
    (self.level, self.area) = (level, area)
    track = TrackGeocoder(geocoder)
  }

  /// Adds a region.
  mutating func add(_ span: RegionSpan) {
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

  private mutating func index(of key: PlaceKey) -> Int {
    if let last, last.key == key { return last.index }
    let index = indexes[key, default: sums.count]
    if index == sums.count {
      indexes[key] = index
      sums.append(Sum())
    }
    last = (key, index)
    return index
  }

  /// The number of cities as a breakdown lists them, where ``level`` is that of cities.
  func cityCount(of explorer: Explorer) -> Int {
    Set(indexes.keys.lazy.filter { $0.city != nil }.map { explorer.names(of: $0) }).count
  }

  /// The regions of each place.
  ///
  /// - Parameters:
  ///   - clock: the clock of the days.
  ///   - explorer: names the places.
  func presences(
    _ clock: StatisticsQuery.Clock, of explorer: Explorer
  ) -> [PlaceNames: PlacePresence] {
    var local = LocalClock(geocoder: explorer.geocoder)
    func day(_ moment: (time: Timestamp, center: Coordinate)?) -> String? {
      guard let moment else { return nil }
      let days = clock.daysSince1970(moment.time, at: moment.center, by: &local)
      return "\(Period(daysSince1970: days, .day))"
    }
    var presences: [PlaceNames: PlacePresence] = [:]
    for (key, index) in indexes {
      let sum = sums[index]
      presences[explorer.names(of: key), default: PlacePresence()].add(
        PlacePresence(
          visitedRegions: sum.regions, visits: sum.visits, firstTime: sum.first?.time,
          lastTime: sum.last?.time, firstDay: day(sum.first), lastDay: day(sum.last)))
    }
    return presences
  }
}
