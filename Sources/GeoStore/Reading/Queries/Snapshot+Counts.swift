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

  /// The columns that a group has in common.
  var columns: String {
    switch self {
    case .country: "country_code, country"
    case .region: "country_code, country, region"
    case .city: "country_code, country, region, city"
    }
  }
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
    func groups(_ level: PlaceLevel, _ column: String) throws(DatabaseError) -> Int {
      try integer(
        """
        SELECT count(*) FROM (SELECT DISTINCT \(level.columns) FROM visited_regions \
        WHERE \(column) NOTNULL)
        """)
    }
    return StoreCounts(
      visitedRegions: try integer("SELECT count(*) FROM visited_regions"),
      visits: try connection.sum(
        of: "visit_count", in: "visited_regions", row: Self.regionName,
        range: StoredRange.regionVisits),
      keptFixes: try connection.sum(
        of: "count", in: "kept_fixes", row: "'row ' || id", range: StoredRange.chunkFixes),
      sources: try integer("SELECT count(*) FROM sources"),
      cellSources: try connection.cellSourceCount(),
      countries: try groups(.country, "country_code"),
      regions: try groups(.region, "region"),
      cities: try integer(
        """
        SELECT count(*) FROM (
          SELECT DISTINCT country_code, city FROM visited_regions WHERE city NOTNULL)
        """))
  }

  /// A row of `visited_regions` in a message, in SQL.
  private static let regionName = "'row ' || id"

  /// Hands out each visited region's center, visit count, and first and last fix time, by id.
  ///
  /// - Complexity: O(regions); memory of one.
  package func forEachRegionSpan(
    _ body: (Coordinate, _ visitCount: Int, _ first: Timestamp?, _ last: Timestamp?) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      """
      SELECT id, latitude, longitude, visit_count,
        (SELECT min(start_ms) FROM visits WHERE region_id = id) AS start_ms,
        (SELECT max(end_ms) FROM visits WHERE region_id = id) AS end_ms
      FROM visited_regions ORDER BY id
      """, on: connection)
    while try select.step() {
      let id = try select.rowID(at: 0, of: "visited_regions")
      var rowName: String { "visited_regions, row \(id)" }
      body(
        try select.coordinate(at: 1, of: rowName),
        try select.int(at: 3, in: StoredRange.regionVisits, of: rowName),
        try select.optionalTime(at: 4, of: "visits, region \(id)"),
        try select.optionalTime(at: 5, of: "visits, region \(id)"))
    }
  }

  /// The visited regions by the names that they carry, ordered by country code, region and city,
  /// those of no place first.
  ///
  /// - Complexity: O(regions).
  package func counts(by level: PlaceLevel) throws(DatabaseError) -> [PlaceCounts] {
    let names = level.columns.split(separator: ", ").map(String.init)
    let isPossible = Connection.condition("visit_count", StoredRange.regionVisits)
    let select = try connection.cached(
      """
      SELECT count(*), sum(CASE WHEN \(isPossible) THEN visit_count END),
        min((SELECT min(start_ms) FROM visits WHERE region_id = id)) AS start_ms,
        max((SELECT max(end_ms) FROM visits WHERE region_id = id)) AS end_ms, \(level.columns),
        count(*) FILTER (WHERE NOT \(isPossible)), min(id)
      FROM visited_regions GROUP BY \(level.columns) ORDER BY \(level.columns)
      """)
    let countOfImpossible = Int32(4 + names.count)
    var rows: [PlaceCounts] = []
    while try select.step() {
      func name(_ column: String) -> String? {
        names.firstIndex(of: column).flatMap { select.text(at: Int32($0) + 4) }
      }
      guard select.int64(at: countOfImpossible) == 0 else {
        throw try connection.damage(
          of: "visit_count", in: "visited_regions", row: Self.regionName,
          range: StoredRange.regionVisits)
      }
      var visitsOfPlace: String {
        "visits, place of region \(select.int64(at: countOfImpossible + 1))"
      }
      rows.append(
        PlaceCounts(
          place: PlaceNames(
            countryCode: name("country_code"), country: name("country"), region: name("region"),
            city: name("city")),
          visitedRegions: select.int(at: 0), visits: select.int(at: 1),
          firstTime: try select.optionalTime(at: 2, of: visitsOfPlace),
          lastTime: try select.optionalTime(at: 3, of: visitsOfPlace)))
    }
    return rows
  }
}
