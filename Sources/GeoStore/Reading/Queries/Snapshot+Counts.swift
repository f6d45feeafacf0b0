import Geodesy
import SQLiteLayer

/// How much a store holds.
///
/// ```swift
/// let counts = try await store.read { try $0.counts() }
/// print("\(counts.countries) countries, \(counts.cities) cities, \(counts.visits) visits")
/// ```
public struct StoreCounts: Hashable, Sendable {
  /// Visited regions.
  public let visitedRegions: Int
  /// Visits: the sum of the regions' visit counts.
  public let visits: Int
  /// Kept fixes of all sources.
  public let keptFixes: Int
  /// Sources.
  public let sources: Int
  /// Those of them that brought cells and no fixes: coverage files.
  public let cellSources: Int
  /// Countries with a visited region in them.
  public let countries: Int
  /// Regions (admin 1) with a visited region in them.
  public let regions: Int
  /// Cities with a visited region in them; two of one name in one country count once.
  public let cities: Int
}

/// How finely visited regions are grouped by place.
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
  /// The place; names finer than the level asked for are nil. All nil for regions that lie in no
  /// place.
  public let place: PlaceNames
  /// Visited regions there.
  public let visitedRegions: Int
  /// Visits there: the sum of the regions' visit counts.
  public let visits: Int
  /// First fix time there; nil where no fix has one.
  public let firstTime: Timestamp?
  /// Last fix time there; nil where no fix has one.
  public let lastTime: Timestamp?

  /// Counts of a place.
  public init(
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
  /// Counts of everything.
  ///
  /// - Complexity: O(regions) for the places; the rest is cheap.
  public func counts() throws(DatabaseError) -> StoreCounts {
    func integer(_ sql: String) throws(DatabaseError) -> Int {
      Int(try connection.integer(sql) ?? 0)
    }
    let tallies = try placeTallies()
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
      countries: places([\.countryCode, \.country], where: \.countryCode),
      regions: places([\.countryCode, \.country, \.region], where: \.region),
      cities: places([\.countryCode, \.city], where: \.city))
  }

  /// Hands out each visited region's center, visit count, and first and last fix time, by id.
  ///
  /// - Complexity: O(regions); memory of one.
  package func forEachRegionSpan(
    _ body: (Coordinate, _ visitCount: Int, _ first: Timestamp?, _ last: Timestamp?) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      """
      SELECT id, latitude_e7, longitude_e7, visit_count, start_ms, end_ms
      FROM regions ORDER BY id
      """, on: connection)
    while try select.step() {
      let id = try select.regionID(at: 0)
      var rowName: String { "regions, row \(id)" }
      let visit = try Visit(row: select, from: 4, of: rowName)
      body(
        try select.coordinateE7(at: 1, of: rowName),
        try select.int(at: 3, in: StoredRange.regionVisits, of: rowName), visit?.start, visit?.end)
    }
  }

  /// The visited regions by the names that they carry, ordered by country code, country, region and
  /// city, those of no place first.
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
  /// The names that a group has in common.
  fileprivate func cut(_ place: PlaceNames) -> PlaceNames {
    var cut = PlaceNames(countryCode: place.countryCode, country: place.country)
    if self != .country { cut.region = place.region }
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
  /// The order of places: no name first, then by bytes, as in SQL.
  fileprivate static func precedes(_ left: PlaceNames, _ right: PlaceNames) -> Bool {
    for path in [\PlaceNames.countryCode, \.country, \.region, \.city] {
      let (one, other) = (left[keyPath: path], right[keyPath: path])
      if one == other { continue }
      guard let one, let other else { return one == nil }
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return false
  }
}
