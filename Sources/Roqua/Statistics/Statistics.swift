import GeoStore
import Geodesy
import GridHash

/// A way to break down the explored area: by place, or by the time when it was first explored.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.city, .month])
/// print("\(statistics.places[.city]?.count ?? 0) cities")
/// print("\(statistics.periods[.month]?.count ?? 0) months")
/// ```
public enum Breakdown: String, CaseIterable, Sendable {
  /// By country.
  case country
  /// By region (admin 1).
  case region
  /// By city.
  case city
  /// By year.
  case year
  /// By month.
  case month
  /// By day.
  case day

  /// The level of places; nil for a breakdown by time.
  package var placeLevel: PlaceLevel? { PlaceLevel(rawValue: rawValue) }
}

extension PlaceLevel {
  /// The breakdown by places of this level.
  package var breakdown: Breakdown {
    switch self {
    case .country: .country
    case .region: .region
    case .city: .city
    }
  }
}

/// The explored area of one place, and its share of the place's land.
///
/// ```swift
/// let coverage = try await explorer.read { try $0.coverage() }
/// for share in explorer.shares(of: coverage, by: .region) {
///   print(share.place.region ?? "no region", share.percentage ?? 0)
/// }
/// ```
public struct GroundShare: Hashable, Sendable {
  /// The place. Names below the breakdown's level are nil; all are nil for area outside of all
  /// countries.
  public let place: PlaceNames
  /// The explored area of the place.
  public let ground: ExploredGround
  /// Land area of the place in square kilometers: the denominator of `percentage`. Nil if unknown.
  public let totalLandAreaSquareKilometers: Double?

  /// Explored land ÷ land of the place × 100, at most 100; nil if the denominator is unknown or
  /// zero.
  public var percentage: Double? {
    guard let total = totalLandAreaSquareKilometers, total > 0 else { return nil }
    return Roqua.percentage(ground.landAreaSquareKilometers, of: total)
  }

  /// Explored area, land and sea, ÷ area of the Earth × 100. The values of all countries and of the
  /// area outside of them add up to that of the totals.
  public var worldPercentage: Double {
    Roqua.percentage(ground.areaSquareKilometers, of: AuthalicSphere.areaSquareMeters / 1e6)
  }
}

/// The explored area of one place, and its visits.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.city])
/// for city in statistics.places[.city]?.prefix(3) ?? [] {
///   print(city.place.city ?? "no city", city.visits, city.percentage ?? 0)
/// }
/// ```
public struct PlaceShare: Hashable, Sendable {
  /// The explored area and its share of the place's land.
  package let share: GroundShare
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

  /// The place.
  public var place: PlaceNames { share.place }
  /// The explored area of the place.
  public var ground: ExploredGround { share.ground }
  /// Land area of the place in square kilometers; nil if unknown.
  public var totalLandAreaSquareKilometers: Double? { share.totalLandAreaSquareKilometers }
  /// Explored land ÷ land of the place × 100; nil if the denominator is unknown or zero.
  public var percentage: Double? { share.percentage }
}

/// The newly explored area of one period.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.month])
/// for month in statistics.periods[.month] ?? [] {
///   print(month.period ?? "no time", "+\(month.newAreaSquareKilometers) km²")
/// }
/// ```
public struct PeriodShare: Hashable, Sendable {
  /// `2024`, `2024-05` or `2024-05-01`, by the query's clock; nil for area that was explored only
  /// by fixes without a time.
  public let period: String?
  /// The number of cells explored for the first time in the period.
  public let newCells: Int
  /// The area of these cells in square kilometers.
  public let newAreaSquareKilometers: Double
}

/// The flights of a store, or of a range of time.
///
/// ```swift
/// if let flights = try await explorer.statistics().flights {
///   print("\(flights.count) flights, \(flights.distanceKilometers) km")
/// }
/// ```
public struct FlightTotals: Hashable, Sendable {
  /// The number of flights. One that several devices recorded counts once.
  public let count: Int
  /// The number of kept fixes made in the air.
  public let keptFixes: Int
  /// The length of the flights in kilometers.
  public let distanceKilometers: Double

  /// Adds up flights.
  init(_ flights: [Flight], keptFixes: Int) {
    (count, self.keptFixes) = (flights.count, keptFixes)
    distanceKilometers = flights.reduce(0) { $0 + $1.distanceMeters } / 1_000
  }
}

/// The totals of a store or of a part of it, with breakdowns. Also has the members of its
/// ``totals``.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.country, .month])
/// print("\(statistics.areaSquareKilometers) km²")
/// for share in statistics.places[.country] ?? [] {
///   print(share.place.country ?? "no country", share.percentage ?? 0)
/// }
/// ```
@dynamicMemberLookup
public struct Statistics: Sendable {
  /// The query.
  package let query: StatisticsQuery
  /// The numbers of what the store holds. With a place or a range of time: visited regions with
  /// their visits, kept fixes, and sources with one of these fixes; sources of cells are not
  /// counted then.
  public let counts: StoreCounts
  /// The flights; nil with a place. With a range of time, the flights that share a moment with it.
  public let flights: FlightTotals?
  /// The explored cells and area, with percentages.
  public let totals: CoverageTotals
  /// The explored area of the query's place, with the share of the land of the place; nil without a
  /// place.
  public let placeShare: GroundShare?
  /// Places by descending explored area, for each requested breakdown by place.
  public let places: [Breakdown: [PlaceShare]]
  /// Periods in order of time, undated last, for each requested breakdown by time.
  public let periods: [Breakdown: [PeriodShare]]
  /// The number of decimals with which percentages are shown; nil for two significant digits.
  package let percentageDecimals: Int?

  /// A member of the totals.
  public subscript<Value>(dynamicMember path: KeyPath<CoverageTotals, Value>) -> Value {
    totals[keyPath: path]
  }
}
