import Geodesy
import SQLiteLayer

extension Visit {
  /// A visit of a region from a row of start and end.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for times that no writer puts there.
  ///   So the time between two is never more than 10 000 years, which are 3.2e14 ms.
  init(row: borrowing Statement, region id: Int64) throws(DatabaseError) {
    start = try row.time(at: 0, of: "visits, region \(id)")
    end = try row.time(at: 1, of: "visits, region \(id)")
    guard start <= end else {
      throw row.damaged(1, of: "visits, region \(id)", ", before start_ms")
    }
  }
}
