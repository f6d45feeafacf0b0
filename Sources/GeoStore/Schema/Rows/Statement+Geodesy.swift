import Geodesy
import SQLiteLayer

/// Reading values that may be anything: another program, or a failing disk, may have changed them.
extension Statement {
  /// The number of a row of a table, by which a message names it.
  func rowID(at column: Int32, of table: String) throws(DatabaseError) -> Int64 {
    try int64(at: column, in: StoredRange.rowID, of: "\(table), row \(int64(at: column))")
  }

  /// The time in a column of milliseconds: one of the years 0 to 9999.
  func time(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError) -> Timestamp
  {
    let time = Timestamp(millisecondsSince1970: int64(at: column))
    guard Timestamp.writable.contains(time) else { throw damaged(column, of: row()) }
    return time
  }

  /// The time in a column of milliseconds, or nil for NULL.
  func optionalTime(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError)
    -> Timestamp?
  {
    isNull(at: column) ? nil : try time(at: column, of: row())
  }

  /// The time in a column of text in ISO 8601, or nil for NULL.
  func optionalTextTime(
    at column: Int32, of row: @autoclosure () -> String
  ) throws(DatabaseError) -> Timestamp? {
    let (time, isEmpty) = try withBytes(at: column) { (Timestamp(iso8601: $0), $0.isEmpty) }
    guard time != nil || isEmpty else { throw damaged(column, of: row()) }
    return time
  }

  /// The position in two columns, of which the first holds the latitude.
  func coordinate(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError)
    -> Coordinate
  {
    do {
      return try Coordinate(
        latitudeDegrees: double(at: column), longitudeDegrees: double(at: column + 1))
    } catch {
      throw damaged(abs(double(at: column)) <= 90 ? column + 1 : column, of: row())
    }
  }
}
