import GeoStore
import Geocode
import Geodesy

/// The days that a report is about.
///
/// ```swift
/// var query = DayQuery()
/// query.window = (183, 365)
/// for country in try await explorer.dayReport(query).countries {
///   print(country.place.country ?? "at sea", country.days, "days,", country.nights, "nights")
/// }
/// ```
public struct DayQuery: Sendable {
  /// Only days, and nights that begin on a day, from the first to the last of these: days since
  /// 1970-01-01 by the local clock. Nil for all.
  public var days: ClosedRange<Int>?
  /// Only this country, by its ISO 3166-1 code; nil for all.
  public var countryCode: String?
  /// The number of days to look for in a number of successive days: 183 in 365. Nil for none. The
  /// length of the window is at least 1; with less, ``DayReport/CountryDays/window`` is nil.
  public var window: (limit: Int, length: Int)?
  /// Whether presumed days count in the window, and in streaks.
  public var countsPresumed = false
  /// Whether to find the longest streak of days with newly explored cells, which takes memory for
  /// the whole coverage. It is that of all countries.
  public var findsNewCells = false
  /// The level of places for ``DayReport/places``; nil for none, because looking up the place of
  /// each fix takes time.
  public var placeLevel: PlaceLevel?
  /// Home; nil for the place with the most nights.
  public var home: Coordinate?

  /// Creates a query for all days.
  public init() {}
}

/// Days, nights and distances (`docs/days.md`).
///
/// ```swift
/// let report = try await explorer.dayReport()
/// print(report.recordedDays, "days,", Int(report.groundMeters / 1_000), "km on the ground")
/// ```
public struct DayReport: Sendable {
  /// The query.
  package let query: DayQuery
  /// The days and nights of each country, most days first.
  public let countries: [CountryDays]
  /// The distance on the ground of each place of the query's level, longest first; empty if the
  /// query has none.
  public let places: [PlaceDistance]
  /// Each day with a fix or a presumed country, or whose night alone is known, in order.
  public let days: [Day]
  /// The number of days with a fix.
  public let recordedDays: Int
  /// The number of days without any fix between fixes in one country.
  public let presumedDays: Int
  /// The number of days without any fix between fixes in different countries.
  package let daysBetweenCountries: Int
  /// The number of nights between fixes in different countries: on the way, or in the air.
  package let nightsBetweenCountries: Int
  /// The distance on the ground in meters, flights and gaps left out, with that of tracks with
  /// times.
  public let groundMeters: Double
  /// The flights that share a moment with the days, and their distance; nil if the query has a
  /// country, whose flights are not counted.
  public let flights: FlightTotals?
  /// Home; nil if none was given and no night is known.
  public let home: Home?
  /// The position that is farthest from home; nil without home.
  public let farthest: Farthest?
  /// The longest run of days with a fix, or with a presumed country if these count.
  public let longestStreak: ClosedRange<Int>?
  /// The longest run of days on which a cell was first explored; nil if the query does not ask.
  public let longestNewCellStreak: ClosedRange<Int>?

  /// The days of a country.
  public struct CountryDays: Hashable, Sendable {
    /// The country; no names at sea and in no country.
    public let place: PlaceNames
    /// The days with a fix in it.
    public let days: Int
    /// The nights spent in it.
    public let nights: Int
    /// The days without any fix, in any country, between two fixes in it.
    public let presumedDays: Int
    /// The nights before and after such days.
    package let presumedNights: Int
    /// The distance on the ground in it in meters.
    public let groundMeters: Double
    /// The most days in the query's window; nil if none was asked for, its length is less than 1,
    /// or there is no such day.
    public let window: Window?
  }

  /// The distance on the ground in a place.
  public struct PlaceDistance: Hashable, Sendable {
    /// The country, region or city; no names at sea and in no country. A city is nil outside of all
    /// cities of its region.
    public let place: PlaceNames
    /// The days with a fix in it.
    public let days: Int
    /// The distance on the ground in it in meters.
    public let groundMeters: Double
  }

  /// Where a night was spent.
  public enum Night: Hashable, Sendable {
    /// In the country of this ISO 3166-1 code.
    case country(code: String)
    /// At sea, or in no country.
    case atSea
    /// Between fixes in different countries: on the way, or in the air.
    case betweenCountries

    /// The ISO code of the country; nil if it counts for none.
    public var countryCode: String? {
      if case .country(let code) = self { code } else { nil }
    }
  }

  /// The most days in a window.
  public struct Window: Hashable, Sendable {
    /// The largest number of days in any window.
    public let count: Int
    /// The last day of the first such window, in days since 1970-01-01.
    public let end: Int
    /// The first day on which the limit was reached; nil if it never was.
    public let reached: Int?
  }

  /// A day.
  public struct Day: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let day: Int
    /// The ISO codes of the countries with a fix, or of the presumed one; nil stands for none (at
    /// sea). Empty if only the night is known.
    public let countryCodes: [String?]
    /// Whether there is no fix, and the country is presumed.
    public let isPresumed: Bool
    /// Where the night was spent that begins on this day; nil if it is unknown, or not in the
    /// query's country.
    public let night: Night?
    /// Whether the night is presumed in this country: one before or after a presumed day.
    public let nightIsPresumed: Bool
    /// The distance on the ground in meters.
    public let groundMeters: Double

    /// The country of the night that begins on this day; nil if it counts for none, or is unknown
    /// (``night``).
    package var nightCountryCode: String? { night?.countryCode }
  }

  /// Home.
  public struct Home: Hashable, Sendable {
    /// The position.
    public let coordinate: Coordinate
    /// The place.
    public let place: PlaceNames
    /// The number of nights within some hundred meters; nil if home was given.
    public let nights: Int?
  }

  /// The position that is farthest from home.
  public struct Farthest: Hashable, Sendable {
    /// The position.
    public let coordinate: Coordinate
    /// The place.
    public let place: PlaceNames
    /// The time.
    public let time: Timestamp
    /// The distance from home in meters.
    public let distanceMeters: Double
  }

  /// The day with the longest distance on the ground; nil if there is none.
  package var longestDay: Day? {
    let longest = days.max { ($0.groundMeters, -$0.day) < ($1.groundMeters, -$1.day) }
    return longest.flatMap { $0.groundMeters > 0 ? $0 : nil }
  }
}
