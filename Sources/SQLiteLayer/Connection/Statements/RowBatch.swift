import CSQLite

/// Rows in memory that one statement inserts:
/// `INSERT INTO t SELECT c0, c1 FROM \(RowBatch.tableName)`.
///
/// If its values were bound one by one, a row of eleven columns would take eleven calls, and SQLite
/// would open a cursor on the table each time. A batch read as a virtual table opens it only once
/// (`docs/decisions/regions-by-geohash.md`).
///
/// Values are appended in the order of the columns, row after row. Not `Sendable`: it belongs to
/// one connection.
package final class RowBatch {
  /// The name under which a statement reads the batch. It is random for each process, because a
  /// database table of the same name would be read instead.
  package static let tableName = "roqua_rows_" + String(UInt64.random(in: .min ... .max), radix: 16)

  /// Number of columns of the virtual table: `c0`, `c1`, … .
  package static let maximumColumns = 20

  package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// Bytes of the batch that are a text in UTF-8.
    case text(start: UInt32, count: UInt32)
    /// Bytes of the batch.
    case blob(start: UInt32, count: UInt32)
  }

  // Allocated instead of an array, because a batch takes many values for each row, and an array in
  // a class is checked for exclusive access at each of them. Sound: `init` allocates the block and
  // `deinit` frees it. Values below `valueCount` are initialized.
  private var columnCount = 1
  private let values: UnsafeMutableBufferPointer<Value>
  private var valueCount = 0
  /// The bytes of texts and blobs, one after the other.
  private let bytes = RowBytes()

  /// Creates an empty batch of rows of one column.
  ///
  /// - Parameter capacity: the maximum number of values, rows times columns.
  package init(capacity: Int) {
    // Sound: freed in `deinit`.
    values = .allocate(capacity: capacity)
  }

  deinit { values.deallocate() }

  /// Number of complete rows.
  package var rowCount: Int { valueCount / columnCount }

  /// Whether there is room for another row.
  package var hasRoom: Bool { valueCount + columnCount <= values.count }

  /// The number of bytes of texts and blobs. They grow as needed; whoever appends them inserts the
  /// rows before they are many.
  package var byteCount: Int { bytes.count }

  /// Removes all rows. The following rows have `columns` values each, 1...``maximumColumns``.
  package func begin(columns: Int) {
    precondition(
      (1...Self.maximumColumns).contains(columns), "the table of rows has no more columns")
    columnCount = columns
    valueCount = 0
    bytes.removeAll()
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

  /// Appends a text.
  package func append(text: String) {
    let start = bytes.append(text)
    append(.text(start: start, count: UInt32(bytes.count) - start))
  }

  /// Appends a text in UTF-8.
  package func append(utf8: UnsafeRawBufferPointer) {
    append(.text(start: bytes.append(utf8), count: UInt32(utf8.count)))
  }

  /// Appends a blob.
  package func append(blob: [UInt8]) {
    let start = blob.withUnsafeBytes { bytes.append($0) }
    append(.blob(start: start, count: UInt32(blob.count)))
  }

  /// Passes a value to SQLite as the result of a column.
  ///
  /// Sound: SQLite requests only rows that `xFilter` counted.
  package func result(row: Int, column: Int, to context: OpaquePointer?) {
    guard column < columnCount else { return sqlite3_result_null(context) }
    switch values[row * columnCount + column] {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    // Sound: the statement that reads the batch stores the bytes before the batch changes.
    case .text(let start, let count):
      let address = bytes.address(start).assumingMemoryBound(to: CChar.self)
      sqlite3_result_text(context, address, Int32(count), nil)
    case .blob(let start, let count):
      sqlite3_result_blob(context, bytes.address(start), Int32(count), nil)
    }
  }
}
