import CSQLite

/// Reads values without trusting them: another program or a failing disk may have changed them.
///
/// A value that no writer can have stored is thrown as
/// ``DatabaseError/damaged(path:detail:cause:)``, whose detail names the row, the column and the
/// value: `sources, row 12: points is -5`. The `row` arguments are the names of rows in messages.
extension Statement {
  /// Returns the integer in a column, which must lie in a range. NULL reads as 0.
  package func int64(
    at column: Int32, in range: ClosedRange<Int64>, of row: @autoclosure () -> String
  ) throws(DatabaseError) -> Int64 {
    let value = int64(at: column)
    guard range.contains(value) else { throw damaged(column, of: row()) }
    return value
  }

  /// Returns the integer in a column, which must lie in a range, as an `Int`.
  package func int(
    at column: Int32, in range: ClosedRange<Int64>, of row: @autoclosure () -> String
  ) throws(DatabaseError) -> Int {
    Int(try int64(at: column, in: range, of: row()))
  }

  /// Returns the integer in a column, which must lie in a range; nil for NULL.
  package func optionalInt(
    at column: Int32, in range: ClosedRange<Int64>, of row: @autoclosure () -> String
  ) throws(DatabaseError) -> Int? {
    isNull(at: column) ? nil : try int(at: column, in: range, of: row())
  }

  /// Returns the number in a column, which must be finite; nil for NULL.
  package func optionalNumber(
    at column: Int32, of row: @autoclosure () -> String
  ) throws(DatabaseError) -> Double? {
    guard let value = optionalDouble(at: column) else { return nil }
    guard value.isFinite else { throw damaged(column, of: row()) }
    return value
  }

  /// Returns the error for the value in a column.
  ///
  /// - Parameter reason: what is wrong with the value, if that is not obvious.
  package func damaged(_ column: Int32, of row: String, _ reason: String = "") -> DatabaseError {
    let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "column \(column)"
    return .damaged(
      path: connection.path, detail: "\(row): \(name) is \(valueText(at: column))\(reason)")
  }

  /// Formats a value for a message on one line.
  private func valueText(at column: Int32) -> String {
    switch type(at: column) {
    case SQLITE_NULL: "NULL"
    case SQLITE_INTEGER: "\(int64(at: column))"
    case SQLITE_FLOAT: "\(double(at: column))"
    case SQLITE_BLOB: "a blob"
    default: String((text(at: column) ?? "").prefix(40)).debugDescription
    }
  }
}

extension Connection {
  /// Returns the sum of a column whose values must lie in a range.
  ///
  /// - Parameter row: an SQL expression that names a row in a message.
  /// - Complexity: O(rows).
  package func sum(
    of column: String, in table: String, row: String, range: ClosedRange<Int64>
  ) throws(DatabaseError) -> Int {
    let good = Self.condition(column, range)
    let select = try cached(
      """
      SELECT coalesce(sum(CASE WHEN \(good) THEN \(column) END), 0),
        count(*) FILTER (WHERE NOT \(good)) FROM \(table)
      """)
    guard try select.step() else { return 0 }  // an aggregate always returns a row
    guard select.int64(at: 1) == 0 else {
      select.reset()
      throw try damage(of: column, in: table, row: row, range: range)
    }
    return select.int(at: 0)
  }

  /// Returns the sum of those values of a column that lie in a range, for a table that is about to
  /// be rebuilt.
  package func sumOfPossible(
    _ column: String, in table: String, range: ClosedRange<Int64>
  ) throws(DatabaseError) -> Int {
    Int(
      try integer("SELECT sum(\(column)) FROM \(table) WHERE \(Self.condition(column, range))") ?? 0
    )
  }

  /// Returns the error for the first row of a table whose value in a column does not lie in a
  /// range.
  package func damage(
    of column: String, in table: String, row: String, range: ClosedRange<Int64>
  ) throws(DatabaseError) -> DatabaseError {
    let select = try cached(
      "SELECT \(column), \(row) FROM \(table) WHERE NOT \(Self.condition(column, range)) LIMIT 1")
    guard try select.step() else { return .damaged(path: path, detail: "\(table): \(column)") }
    return select.damaged(0, of: "\(table), \(select.text(at: 1) ?? "")")
  }

  /// Returns an SQL condition for a value to be an integer in a range, valid also for tables that
  /// accept values of any type.
  package static func condition(_ column: String, _ range: ClosedRange<Int64>) -> String {
    "(typeof(\(column)) = 'integer' "
      + "AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound))"
  }
}
