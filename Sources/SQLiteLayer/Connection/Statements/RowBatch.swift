import CSQLite

/// Rows of numbers in memory that one statement inserts:
/// `INSERT INTO t SELECT c0, c1 FROM \(RowBatch.tableName)`.
///
/// Bound one by one, a row of `regions` takes eleven calls, and SQLite opens a cursor on the table
/// again. Read from here as a virtual table, a batch opens it once
/// (`docs/decisions/regions-by-geohash.md`).
///
/// Values are appended in the order of the columns, row after row. Not `Sendable`: it belongs to
/// one connection.
package final class RowBatch {
  /// The name under which a statement reads the batch. It is random for each process: a table of
  /// that name in the database would be read in its place.
  package static let tableName = "roqua_rows_" + String(UInt64.random(in: .min ... .max), radix: 16)

  /// Columns that the table of rows has: `c0`, `c1`, … .
  package static let maximumColumns = 20

  package enum Value {
    case null
    case integer(Int64)
    case real(Double)
  }

  // Storage of its own instead of an array: a batch takes some ten values for each region, and an
  // array in a class checks for exclusive access at each of them.
  // Sound: `init` allocates the block and `deinit` frees it. Values below `valueCount` are
  // initialized.
  private var columnCount = 1
  private let values: UnsafeMutableBufferPointer<Value>
  private var valueCount = 0

  /// An empty batch of rows of one column.
  ///
  /// - Parameter capacity: values that it holds at most, rows times columns.
  package init(capacity: Int) {
    // Sound: freed in `deinit`.
    values = .allocate(capacity: capacity)
  }

  deinit { values.deallocate() }

  /// Number of whole rows.
  package var rowCount: Int { valueCount / columnCount }

  /// Whether another row finds room.
  package var hasRoom: Bool { valueCount + columnCount <= values.count }

  /// Forgets all rows; those that follow have `columns` values each, 1...``maximumColumns``.
  package func begin(columns: Int) {
    precondition(
      (1...Self.maximumColumns).contains(columns), "the table of rows has no more columns")
    columnCount = columns
    valueCount = 0
  }

  private func append(_ value: Value) {
    precondition(valueCount < values.count, "the batch is full")
    values.initializeElement(at: valueCount, to: value)
    valueCount += 1
  }

  /// Appends an integer, or NULL.
  package func append(_ value: Int64?) {
    append(value.map(Value.integer) ?? .null)
  }

  /// Appends a number, or NULL.
  package func append(_ value: Double?) {
    append(value.map(Value.real) ?? .null)
  }

  /// Gives SQLite a value as the result of a column.
  ///
  /// Sound: SQLite asks only for rows that `xFilter` counted.
  package func result(row: Int, column: Int, to context: OpaquePointer?) {
    guard column < columnCount else { return sqlite3_result_null(context) }
    switch values[row * columnCount + column] {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    }
  }
}
