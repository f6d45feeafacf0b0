import GeoStore
import Geodesy
import SQLiteLayer

/// A place in which there is a visited region, and how long it was stayed in.
///
/// ```swift
/// for visit in try await explorer.placeVisits(by: .city) where visit.isVisited {
///   print(visit.place.city ?? "", visit.visits)
/// }
/// ```
public struct PlaceVisit: Hashable, Sendable {
  /// The place; names finer than the level asked for are nil.
  public let place: PlaceNames
  /// Time in seconds that counts as staying (see `docs/decisions/staying.md`).
  public let staySeconds: Double
  /// Whether that is enough to have visited the place, rather than passed through.
  public let isVisited: Bool
  /// Visited regions there.
  public let visitedRegions: Int
  /// Visits to them.
  public let visits: Int
  /// First fix time there; nil where no fix has one.
  public let firstTime: Timestamp?
  /// Last fix time there; nil where no fix has one.
  public let lastTime: Timestamp?
}

extension PlaceLevel {
  /// A place counts as visited from this stay on: an hour in a country, 20 minutes in a region or
  /// city. An hour is more than a change of trains or an exit taken by mistake; 20 minutes are more
  /// than the lights of a through road.
  package var leastStaySeconds: Double { self == .country ? 3_600 : 1_200 }
}

extension Explorer {
  /// Where the store's owner has been, by first date, undated places last. Sea and no-man's-land
  /// are left out.
  ///
  /// - Complexity: O(n log n) for n kept fixes and a lookup for each; O(visited regions).
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

  /// The stay in each place, by its names.
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
