import Foundation
import Geodesy

extension Timestamp {
  /// Creates a time from a date, to the millisecond.
  ///
  /// - Precondition: the date lies within 290 million years of 1970.
  public init(_ date: Date) {
    self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
  }

  /// The time as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1_000) }
}

extension ClosedRange where Bound == Timestamp {
  /// The times from one date to another, for the times of a query.
  ///
  /// ```swift
  /// var query = RegionQuery()
  /// query.times = ClosedRange(now.date.addingTimeInterval(-86_400)...now.date)
  /// let regions = try await explorer.regions(matching: query, limit: 100)
  /// print("\(regions.count) regions since yesterday")
  /// ```
  public init(_ dates: ClosedRange<Date>) {
    self = Timestamp(dates.lowerBound)...Timestamp(dates.upperBound)
  }
}

extension Explorer {
  /// Estimates where the store's owner was at a time (``position(at:)``).
  ///
  /// - Returns: nil if nothing is known within a day of the time.
  /// - Throws: `CancellationError` or `DatabaseError`.
  public func position(at date: Date) async throws -> PositionEstimate? {
    try await position(at: Timestamp(date))
  }
}

extension Whereabouts {
  /// Estimates where the store's owner was at a time (``position(at:)``).
  public func position(at date: Date) -> PositionEstimate? { position(at: Timestamp(date)) }
}
