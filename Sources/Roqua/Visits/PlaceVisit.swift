import GeoStore
import Geocode
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
  /// The days of these times by the query's clock: `2024-05-01`.
  public let firstDay: String?
  /// See ``firstDay``.
  public let lastDay: String?
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
  /// - Throws: `DatabaseError`.
  public func placeVisits(by level: PlaceLevel) throws -> [PlaceVisit] {
    try placeVisits(by: level, StatisticsQuery())
  }

  /// The places where the store's owner has been, in a place or a range of time. Breakdowns of the
  /// query do not matter.
  ///
  /// With a range of time, only its kept fixes count toward a stay, so a stay that began before the
  /// range begins at its first fix in the range.
  ///
  /// - Complexity: that of `placeVisits(by:)`; with a place, a second lookup for each fix.
  /// - Throws: `DatabaseError`.
  public func placeVisits(
    by level: PlaceLevel, _ query: StatisticsQuery
  ) throws -> [PlaceVisit] {
    try read { snapshot in
      let area = query.place.map {
        PlaceArea(of: $0, grid: snapshot.settings.grid, geocoder: geocoder)
      }
      let stays = try stays(
        along: try FixTimeline(of: snapshot, in: query.times), by: level, area: area,
        regionRadiusMeters: snapshot.settings[.explorationRadiusMeters])
      var presences = PresenceTally(by: level, area: area, geocoder: geocoder)
      try snapshot.forEachRegionSpan(in: query.times) { presences.add($0) }
      return presences.presences(query.clock, of: self)
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
            firstTime: counts.firstTime, lastTime: counts.lastTime, firstDay: counts.firstDay,
            lastDay: counts.lastDay)
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

  /// The stay in each place, by the names of the place. Fixes outside of `area` are in no place.
  private func stays(
    along timeline: FixTimeline, by level: PlaceLevel, area: PlaceArea?,
    regionRadiusMeters: Double
  ) throws(DatabaseError) -> [PlaceNames: StayTally<PlaceNames>.Stay] {
    var track = TrackGeocoder(geocoder)
    func key(_ coordinate: Coordinate) -> PlaceKey {
      guard area?.contains(coordinate) ?? true else { return PlaceKey() }
      return PlaceKey(at: coordinate, level: level, along: &track)
    }
    var tally = StayTally<PlaceKey>(regionRadiusMeters: regionRadiusMeters)
    try timeline.forEachDated { fix in
      tally.take(
        time: fix.time, at: fix.coordinate, in: key(fix.coordinate), source: Int(fix.source))
    }
    try timeline.forEachUndated { tally.take(undatedIn: key($0)) }
    var stays: [PlaceNames: StayTally<PlaceNames>.Stay] = [:]
    for (key, stay) in tally.stays {
      stays[names(of: key), default: .init()].seconds += stay.seconds
      stays[names(of: key), default: .init()].undatedFixes += stay.undatedFixes
    }
    return stays
  }
}
