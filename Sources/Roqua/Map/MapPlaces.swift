import FogMap
import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

/// The visited regions of a map, with their places.
struct MapPlaces {
  /// Counts of a place at one level.
  struct Entry {
    var visitedRegions = 0
    var visits = 0
    var firstMinute: Int?
    var lastMinute: Int?
    var firstDay: Int?
    var lastDay: Int?
    var bounds: MapBounds?
  }

  private(set) var regions: [PageRegions.Region] = []
  /// The names of places, in the order of the numbers that regions have.
  private(set) var names: [PlaceNames] = []
  private(set) var entries: [PlaceLevel: [PlaceNames: Entry]] = [:]
  private(set) var visits = 0
  /// The cities with a visited region.
  private(set) var cities: Set<CityIndex> = []

  /// Reads the visited regions of a query that are not hidden.
  ///
  /// - Complexity: O(visited regions), with one lookup each.
  init(
    _ query: StatisticsQuery, hiding hidden: HiddenGround, in area: PlaceArea?,
    of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) {
    var track = TrackGeocoder(explorer.geocoder)
    var clock = LocalClock(geocoder: explorer.geocoder)
    var numbers: [PlaceKey: Int] = [:]
    var keys: [PlaceKey] = []
    var tallies: [[PlaceKey: Entry]] = [[:], [:], [:]]
    var regions: [PageRegions.Region] = []
    var visits = 0
    /// The moment by the query's clock, in minutes since 1970.
    func minute(_ time: Timestamp?, at center: Coordinate) -> Int? {
      guard let time else { return nil }
      var milliseconds = time.millisecondsSince1970
      if query.clock == .local { milliseconds = clock.milliseconds(milliseconds, at: center) }
      return Int((Double(milliseconds) / 60_000).rounded(.down))
    }
    try snapshot.forEachRegionSpan(in: query.times) { span in
      guard area?.contains(span.center) ?? true, !hidden.contains(span.center) else { return }
      let codes = track.codes(at: span.center)
      let city = PlaceKey(codes, geocoder: track.geocoder)
      let number = numbers[city] ?? keys.count
      if number == keys.count {
        numbers[city] = number
        keys.append(city)
      }
      let first = minute(span.first, at: span.center)
      let last = minute(span.last, at: span.center)
      visits += span.visits
      regions.append(
        PageRegions.Region(
          latitudeE5: Int((Double(span.center.latitudeE7) / 100).rounded()),
          longitudeE5: Int((Double(span.center.longitudeE7) / 100).rounded()),
          visits: span.visits, firstMinute: first, lastMinute: last, place: number))
      let levels = [
        PlaceKey(country: city.country),
        // Not that of the city, which may extend into this one.
        PlaceKey(country: city.country, region: codes.region), city,
      ]
      for (index, key) in levels.enumerated() {
        tallies[index][key, default: Entry()].add(span, first: first, last: last)
      }
    }
    self.regions = regions
    self.visits = visits
    cities = Set(keys.compactMap(\.city))
    names = keys.map { explorer.names(of: $0) }
    for (index, level) in [PlaceLevel.country, .region, .city].enumerated() {
      var named: [PlaceNames: Entry] = [:]
      for (key, entry) in tallies[index] {
        named[explorer.names(of: key), default: Entry()].add(entry)
      }
      entries[level] = named
    }
  }

  /// The most visited regions, in their order.
  func mostVisited(_ count: Int) -> [PageRegions.Region] {
    guard count < regions.count else { return regions }
    let order = regions.indices.sorted { one, other in
      (regions[other].visits, one) < (regions[one].visits, other)
    }
    return order.prefix(count).sorted().map { regions[$0] }
  }
}

extension MapPlaces.Entry {
  /// Adds a visited region.
  mutating func add(_ span: RegionSpan, first: Int?, last: Int?) {
    visitedRegions += 1
    visits += span.visits
    if let first { firstMinute = min(firstMinute ?? first, first) }
    if let last { lastMinute = max(lastMinute ?? last, last) }
    let box = MapBounds(span.center)
    bounds = bounds?.union(box) ?? box
  }

  /// Adds the counts of a place of the same name.
  mutating func add(_ other: Self) {
    visitedRegions += other.visitedRegions
    visits += other.visits
    if let first = other.firstMinute { firstMinute = min(firstMinute ?? first, first) }
    if let last = other.lastMinute { lastMinute = max(lastMinute ?? last, last) }
    if let box = other.bounds { bounds = bounds?.union(box) ?? box }
  }
}
