import Geodesy

/// The parts of a store that statistics describe, and how to break them down.
///
/// ```swift
/// var query = StatisticsQuery()
/// query.place = try await explorer.place(country: "Germany")
/// query.breakdowns = [.city]
/// let statistics = try await explorer.statistics(query)
/// print(statistics.areaSquareKilometers, "km² of", query.place?.label ?? "the world")
/// ```
public struct StatisticsQuery: Sendable {
  /// The breakdowns to report.
  public var breakdowns: Set<Breakdown> = []
  /// Only cells and visited regions whose center lies in this place, and kept fixes in it; nil for
  /// everywhere.
  public var place: NamedPlace?
  /// Only cells whose earliest kept fix lies in this range, kept fixes of the range, and visits
  /// that share a moment with it; nil for all times. Both ends are included. Cells, fixes and
  /// regions without a time are left out.
  public var times: ClosedRange<Timestamp>?
  /// The clock that determines in which day, month and year a cell was first explored.
  public var clock: Clock = .utc

  /// The clock by which a time belongs to a day.
  public enum Clock: String, CaseIterable, Sendable {
    /// Universal time.
    case utc
    /// The time zone at the fix; in the open sea the nautical time of its longitude, in whole
    /// hours.
    case local
  }

  /// Creates a query for the totals of everything, and the given breakdowns.
  public init(breakdowns: Set<Breakdown> = []) { self.breakdowns = breakdowns }

  /// Whether anything is left out.
  var isRestricted: Bool { place != nil || times != nil }
}
