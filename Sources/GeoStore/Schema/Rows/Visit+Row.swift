import Geodesy
import SQLiteLayer

extension Visit {
  /// Creates a visit from two columns of a row, start and end; nil if the start is NULL.
  ///
  /// - Parameter name: the name of the row in messages.
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for times that no writer produces. The
  ///   time between two valid times is therefore never more than 10 000 years, which are 3.2e14 ms.
  init?(
    row: borrowing Statement, from column: Int32 = 0, of name: @autoclosure () -> String
  ) throws(DatabaseError) {
    guard let start = try row.optionalTime(at: column, of: name()) else {
      return nil
    }
    self.start = start
    end = try row.time(at: column + 1, of: name())
    guard start <= end else {
      throw row.damaged(column + 1, of: name(), ", before start_ms")
    }
  }

  /// The name of a region's rows of `repeat_visits` in messages.
  static func rowName(_ region: Int64) -> String { "repeat_visits, region \(region)" }
}
