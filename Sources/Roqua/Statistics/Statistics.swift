import GeoStore
import Geodesy
import GridHash

/// How a breakdown cuts what is explored: by place, or by when it was first explored.
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
  /// By year, in UTC.
  case year
  /// By month, in UTC.
  case month
  /// By day, in UTC.
  case day

  /// The level of places; nil where it cuts by time.
  package var placeLevel: PlaceLevel? { PlaceLevel(rawValue: rawValue) }
}

extension PlaceLevel {
  /// The breakdown by places of this level.
  var breakdown: Breakdown {
    switch self {
    case .country: .country
    case .region: .region
    case .city: .city
    }
  }
}

/// The explored ground of one place, and what it is a share of.
///
/// ```swift
/// let coverage = try await explorer.read { try $0.coverage() }
/// for share in explorer.shares(of: coverage, by: .region) {
///   print(share.place.region ?? "no region", share.percentage ?? 0)
/// }
/// ```
public struct GroundShare: Hashable, Sendable {
  /// The place; names finer than the breakdown are nil. All nil for what lies in no country.
  public let place: PlaceNames
  /// Explored ground there.
  public let ground: ExploredGround
  /// Land area of the place in square kilometers: the denominator of `percentage`. Nil where it is
  /// not known.
  public let totalLandAreaSquareKilometers: Double?

  /// Explored land ÷ land of the place × 100, at most 100; nil where the denominator is not known
  /// or zero.
  public var percentage: Double? {
    guard let total = totalLandAreaSquareKilometers, total > 0 else { return nil }
    return Roqua.percentage(ground.landAreaSquareKilometers, of: total)
  }

  /// Explored area, land and sea, ÷ area of the Earth × 100. Those of all countries and of what
  /// lies in none add up to the total's.
  public var worldPercentage: Double {
    Roqua.percentage(ground.areaSquareKilometers, of: AuthalicSphere.areaSquareMeters / 1e6)
  }
}

/// What is explored of one place, and how often it was visited.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.city])
/// for city in statistics.places[.city]?.prefix(3) ?? [] {
///   print(city.place.city ?? "no city", city.visits, city.percentage ?? 0)
/// }
/// ```
public struct PlaceShare: Hashable, Sendable {
  /// The ground.
  public let share: GroundShare
  /// Visited regions there.
  public let visitedRegions: Int
  /// Visits there.
  public let visits: Int
  /// First fix time there; nil where no fix has one.
  public let firstTime: Timestamp?
  /// Last fix time there; nil where no fix has one.
  public let lastTime: Timestamp?

  /// The place.
  public var place: PlaceNames { share.place }
  /// Explored ground there.
  public var ground: ExploredGround { share.ground }
  /// Land area of the place in square kilometers; nil where it is not known.
  public var totalLandAreaSquareKilometers: Double? { share.totalLandAreaSquareKilometers }
  /// Explored land ÷ land of the place × 100; nil where the denominator is not known or zero.
  public var percentage: Double? { share.percentage }
}

/// What was new ground in one period.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.month])
/// for month in statistics.periods[.month] ?? [] {
///   print(month.period ?? "no time", "+\(month.newAreaSquareKilometers) km²")
/// }
/// ```
public struct PeriodShare: Hashable, Sendable {
  /// `2024`, `2024-05` or `2024-05-01`, in UTC; nil for ground that was only explored by fixes
  /// without a time.
  public let period: String?
  /// Cells that were explored for the first time then.
  public let newCells: Int
  /// Their area in square kilometers.
  public let newAreaSquareKilometers: Double
}

/// What a store knows to be explored. It has the members of its ``totals``, too.
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
  /// How much the store holds.
  public let counts: StoreCounts
  /// What is explored, and of how much.
  public let totals: CoverageTotals
  /// Places by descending explored area, for each breakdown by place that was asked for.
  public let places: [Breakdown: [PlaceShare]]
  /// Periods in order of time, what has no time last, for each breakdown by time that was asked
  /// for.
  public let periods: [Breakdown: [PeriodShare]]
  /// Digits after the point with which percentages are shown.
  public let percentageDecimals: Int

  /// A member of the totals.
  public subscript<Value>(dynamicMember path: KeyPath<CoverageTotals, Value>) -> Value {
    totals[keyPath: path]
  }
}
