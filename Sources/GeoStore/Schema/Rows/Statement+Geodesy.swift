import CSQLite
import Geodesy
import SQLiteLayer

/// Reads values without trusting them: another program or a failing disk may have changed them.
extension Statement {
  /// Returns the number of a table's row, which also identifies the row in messages.
  func rowID(at column: Int32, of table: String) throws(DatabaseError) -> Int64 {
    try int64(at: column, in: StoredRange.rowID, of: "\(table), row \(int64(at: column))")
  }

  /// Returns the time in a column of milliseconds, which must be in the years 0 to 9999.
  func time(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError) -> Timestamp
  {
    let time = Timestamp(millisecondsSince1970: int64(at: column))
    guard Timestamp.writable.contains(time) else { throw damaged(column, of: row()) }
    return time
  }

  /// Returns the time in a column of milliseconds, or nil for NULL.
  func optionalTime(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError)
    -> Timestamp?
  {
    isNull(at: column) ? nil : try time(at: column, of: row())
  }

  /// Returns the number of a region, which also identifies the row in messages.
  func regionID(at column: Int32) throws(DatabaseError) -> Int64 {
    try int64(
      at: column, in: StoredRange.regionID, of: "regions, row \(int64(at: column))")
  }

  /// Returns the center of a region from two columns of units of 1e-7 degree, latitude first.
  func center(ofRegion id: Int64, at column: Int32) throws(DatabaseError) -> Coordinate {
    try coordinateE7(at: column, of: "regions, row \(id)")
  }

  /// Checks that the number of a region, in the first column, is possible for its center.
  func checkNumber(_ id: Int64, of center: Coordinate) throws(DatabaseError) {
    guard !RegionID.range(of: center).contains(id) else { return }
    throw damaged(0, of: "regions, row \(id)", ", which does not match its position")
  }

  /// Returns the position in two columns of units of 1e-7 degree, latitude first.
  func coordinateE7(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError)
    -> Coordinate
  {
    let (latitude, longitude) = (int64(at: column), int64(at: column + 1))
    if let latitude = Int32(exactly: latitude), let longitude = Int32(exactly: longitude),
      let coordinate = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
    {
      return coordinate
    }
    let isLatitude = (-900_000_000...900_000_000).contains(latitude)
    throw damaged(isLatitude ? column + 1 : column, of: row())
  }

  /// Returns an accuracy in meters from an integer of decimeters or a real number of meters; nil
  /// for NULL.
  func optionalAccuracy(at column: Int32, of row: @autoclosure () -> String) throws(DatabaseError)
    -> Double?
  {
    switch type(at: column) {
    case SQLITE_INTEGER:
      return Double(try int64(at: column, in: StoredRange.accuracyDecimeters, of: row())) / 10
    case SQLITE_FLOAT, SQLITE_NULL: return try optionalNumber(at: column, of: row())
    default: throw damaged(column, of: row())
    }
  }

  /// Returns the position in two columns of degrees, latitude first.
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
