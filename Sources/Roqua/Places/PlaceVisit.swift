import GeoStore
import Geodesy
import SQLiteLayer

/// A place that contains a visited region, with the length of the stay in it.
///
/// ```swift
/// for visit in try await explorer.placeVisits(by: .city) where visit.isVisited {
///   print(visit.place.city ?? "", visit.visits)
/// }
/// ```
public struct PlaceVisit: Hashable, Sendable {
  /// The place. Names below the requested level are nil.
  public let place: PlaceNames
  /// Time in seconds that counts as staying (see `docs/decisions/staying.md`).
  public let staySeconds: Double
  /// True if the stay is long enough for a visit, rather than for passing through.
  public let isVisited: Bool
  /// The number of visited regions in the place.
  public let visitedRegions: Int
  /// The number of visits to these regions.
  public let visits: Int
  /// The first fix time in the place; nil if no fix has a time.
  public let firstTime: Timestamp?
  /// The last fix time in the place; nil if no fix has a time.
  public let lastTime: Timestamp?
}

extension PlaceLevel {
  /// The shortest stay that counts as a visit to a place: an hour in a country, 20 minutes in a
  /// region or city. An hour is longer than a change of trains or a wrong exit; 20 minutes are
  /// longer than the traffic lights of a through road.
  package var leastStaySeconds: Double { self == .country ? 3_600 : 1_200 }
}

extension Explorer {
  /// The places where the store's owner has been, ordered by first date, undated places last.
  /// Leaves out sea and land outside of all countries.
  ///
  /// - Complexity: O(n log n) for n kept fixes, with one lookup each; O(visited regions).
  public func placeVisits(by level: PlaceLevel) throws -> [PlaceVisit] {
    try read { snapshot in
      let stays = stays(
        try StayTimeline(of: snapshot), by: level,
        regionRadiusMeters: snapshot.settings[.explorationRadiusMeters])
      return try placeCounts(in: snapshot, by: level)
        .compactMap { place, counts -> PlaceVisit? in
          let finest =
            level == .country ? place.countryCode : level == .region ? place.region : place.city
          guard finest != nil else { return nil }
          let stay = stays[place] ?? StayTally<PlaceNames>.Stay()
          return PlaceVisit(
            place: place, staySeconds: stay.seconds,
            isVisited: stay.seconds >= level.leastStaySeconds
              || stay.undatedFixes >= StayTally<PlaceNames>.undatedFixesOfStay,
            visitedRegions: counts.visitedRegions, visits: counts.visits,
            firstTime: counts.firstTime,
            lastTime: counts.lastTime)
        }
        .sorted { left, right in
          switch (left.firstTime, right.firstTime) {
          case (let first?, let second?) where first != second: first < second
          case (_?, nil): true
          case (nil, _?): false
          default: left.place.order.lexicographicallyPrecedes(right.place.order)
          }
        }
    }
  }

  /// The stay in each place, by the names of the place.
  private func stays(
    _ timeline: StayTimeline, by level: PlaceLevel, regionRadiusMeters: Double
  ) -> [PlaceNames: StayTally<PlaceNames>.Stay] {
    var tally = StayTally<PlaceKey>(regionRadiusMeters: regionRadiusMeters)
    for fix in timeline.dated {
      tally.take(
        time: fix.time, at: fix.coordinate, in: key(at: fix.coordinate, level: level),
        source: Int(fix.source)
      )
    }
    for coordinate in timeline.undated { tally.take(undatedIn: key(at: coordinate, level: level)) }
    var stays: [PlaceNames: StayTally<PlaceNames>.Stay] = [:]
    for (key, stay) in tally.stays {
      stays[names(of: key), default: .init()].seconds += stay.seconds
      stays[names(of: key), default: .init()].undatedFixes += stay.undatedFixes
    }
    return stays
  }

  private func key(at coordinate: Coordinate, level: PlaceLevel) -> PlaceKey {
    PlaceKey(at: coordinate, level: level, geocoder: geocoder)
  }
}
