import Foundation
import Geodesy

extension Timestamp {
  /// The time of a date, to the millisecond.
  ///
  /// - Precondition: it lies within 290 million years of 1970.
  public init(_ date: Date) {
    self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
  }

  /// The date of the time.
  public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1_000) }
}
