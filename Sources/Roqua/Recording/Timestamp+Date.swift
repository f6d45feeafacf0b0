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
