import Geodesy
import SQLiteLayer

/// The size of a store's contents.
///
/// ```swift
/// let counts = try await store.read { try $0.counts() }
/// print("\(counts.countries) countries, \(counts.cities) cities, \(counts.visits) visits")
/// ```
public struct StoreCounts: Hashable, Sendable {
  /// Number of visited regions.
  public let visitedRegions: Int
  /// Number of visits: the sum of the regions' visit counts.
  public let visits: Int
  /// Number of kept fixes of all sources.
  public let keptFixes: Int
  /// Number of sources.
  public let sources: Int
  /// Number of those sources that have cells and no fixes: coverage files.
  package let cellSources: Int
  /// Number of those sources that have regions and no fixes: adopted ones.
  package let regionSources: Int
  /// Number of countries with a visited region.
  public let countries: Int
  /// Number of regions (admin 1) with a visited region.
  public let regions: Int
  /// Number of cities with a visited region. ``Snapshot/counts()`` does not know where cities lie:
  /// two cities with the same name in one country count once.
  public package(set) var cities: Int

  /// Creates counts.
  package init(
    visitedRegions: Int, visits: Int, keptFixes: Int, sources: Int, cellSources: Int,
    regionSources: Int, countries: Int, regions: Int, cities: Int
  ) {
    self.visitedRegions = visitedRegions
    self.visits = visits
    self.keptFixes = keptFixes
    self.sources = sources
    self.cellSources = cellSources
    self.regionSources = regionSources
    self.countries = countries
    self.regions = regions
    self.cities = cities
  }
}

/// The levels by which visited regions are grouped by place.
///
/// ```swift
/// for level in PlaceLevel.allCases {
///   print(level, try await explorer.placeVisits(by: level).count)
/// }
/// ```
public enum PlaceLevel: String, CaseIterable, Sendable {
  /// By country.
  case country
  /// By region (admin 1) within its country.
  case region
  /// By city within its region and country.
  case city
}

/// The visited regions of one place.
package struct PlaceCounts: Hashable, Sendable {
  /// The place. Names below the level are nil; all names are nil for regions outside any place.
  package let place: PlaceNames
  /// Number of visited regions there.
  package let visitedRegions: Int
  /// Number of visits there: the sum of the regions' visit counts.
  package let visits: Int
  /// First fix time there; nil if no fix has one.
  package let firstTime: Timestamp?
  /// Last fix time there; nil if no fix has one.
  package let lastTime: Timestamp?

  /// Creates the counts of a place.
  package init(
    place: PlaceNames, visitedRegions: Int, visits: Int, firstTime: Timestamp?, lastTime: Timestamp?
  ) {
    self.place = place
    self.visitedRegions = visitedRegions
    self.visits = visits
    self.firstTime = firstTime
    self.lastTime = lastTime
  }
}

extension Snapshot {
  /// Returns the size of the store's contents.
  ///
  /// - Complexity: O(regions) for the places; the other counts are cheap.
  /// - Throws: `DatabaseError`.
  public func counts() throws(DatabaseError) -> StoreCounts {
    let tallies = try placeTallies()
    let named = tallies.lazy.map(\.place).filter { $0.city != nil }
    return try counts(of: tallies, cities: Set(named.map { [$0.countryCode, $0.city] }).count)
  }

  /// Returns the size of the store's contents.
  ///
  /// - Parameter cities: the number of cities.
  /// - Complexity: O(regions).
  package func counts(cities: Int) throws(DatabaseError) -> StoreCounts {
    try counts(of: try placeTallies(), cities: cities)
  }

  /// Does the same, and calls `body` with each visited region, ordered by id, as
  /// ``forEachRegionSpan(in:_:)`` does without a range of time, and the number of its stored place:
  /// both in one reading.
  ///
  /// - Returns: the counts without the number of cities, which may depend on what was visited.
  package func counts(
    visiting body: (RegionSpan, _ place: Int64?) -> Void
  ) throws(DatabaseError) -> StoreCounts {
    try counts(of: try placeTallies(visiting: body), cities: 0)
  }

  private func counts(
    of tallies: [PlaceTally], cities: Int
  ) throws(DatabaseError) -> StoreCounts {
    func integer(_ sql: String) throws(DatabaseError) -> Int {
      Int(try connection.integer(sql) ?? 0)
    }
    func places(
      _ columns: [KeyPath<PlaceNames, String?>], where column: KeyPath<PlaceNames, String?>
    )
      -> Int
    {
      let named = tallies.lazy.map(\.place).filter { $0[keyPath: column] != nil }
      return Set(named.map { place in columns.map { place[keyPath: $0] } }).count
    }
    return StoreCounts(
      visitedRegions: tallies.reduce(0) { $0 + $1.visitedRegions },
      visits: tallies.reduce(0) { $0 + $1.visits },
      keptFixes: try connection.sum(
        of: "count", in: "kept_fixes", row: "'row ' || id", range: StoredRange.chunkFixes),
      sources: try integer("SELECT count(*) FROM sources"),
      cellSources: try connection.cellSourceCount(),
      regionSources: try connection.regionSourceCount(),
      countries: places([\.countryCode, \.country], where: \.countryCode),
      regions: places([\.countryCode, \.country, \.region, \.regionCode], where: \.region),
      cities: cities)
  }

  /// Returns the visited regions grouped by the names stored with them, ordered by country code,
  /// country, region and city. Regions outside any place come first.
  ///
  /// - Complexity: O(regions).
  package func counts(by level: PlaceLevel) throws(DatabaseError) -> [PlaceCounts] {
    var groups: [PlaceNames: PlaceTally] = [:]
    for tally in try placeTallies() {
      let place = level.cut(tally.place)
      groups[place, default: PlaceTally(place: place)].add(tally)
    }
    return groups.values.map(PlaceCounts.init).sorted { PlaceNames.precedes($0.place, $1.place) }
  }
}

extension PlaceLevel {
  /// Returns the names that a group has in common.
  fileprivate func cut(_ place: PlaceNames) -> PlaceNames {
    var cut = PlaceNames(countryCode: place.countryCode, country: place.country)
    if self != .country { (cut.regionCode, cut.region) = (place.regionCode, place.region) }
    if self == .city { cut.city = place.city }
    return cut
  }
}

extension PlaceCounts {
  fileprivate init(_ tally: PlaceTally) {
    self.init(
      place: tally.place, visitedRegions: tally.visitedRegions, visits: tally.visits,
      firstTime: tally.first.map(Timestamp.init(millisecondsSince1970:)),
      lastTime: tally.last.map(Timestamp.init(millisecondsSince1970:)))
  }
}

extension PlaceNames {
  /// Orders places by name: missing names first, then by bytes, as in SQL.
  fileprivate static func precedes(_ left: PlaceNames, _ right: PlaceNames) -> Bool {
    for path in [\PlaceNames.countryCode, \.country, \.region, \.regionCode, \.city] {
      let (one, other) = (left[keyPath: path], right[keyPath: path])
      if one == other { continue }
      guard let one, let other else { return one == nil }
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return false
  }
}
