import CSQLite

/// Rows in memory that one statement inserts:
/// `INSERT INTO t SELECT c0, c1 FROM \(RowBatch.tableName)`.
///
/// Bound one by one, a row of `visited_regions` takes sixteen calls, and SQLite opens a cursor on
/// the table and on each index again. Read from here as a virtual table, a batch opens them once
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
    /// Bytes of ``texts``.
    case text(start: Int32, count: Int32)
  }

  // Storage of its own instead of arrays: a batch takes a dozen values for each region, and an
  // array in a class checks for exclusive access at each of them.
  // Sound: `init` allocates both blocks and `deinit` frees them. Values below `valueCount` and
  // bytes below `textCount` are initialized.
  private var columnCount = 1
  private let values: UnsafeMutableBufferPointer<Value>
  private var valueCount = 0
  private var texts: UnsafeMutablePointer<UInt8>
  private var textCapacity = 1 << 12
  private var textCount = 0
  /// The text that was appended last with a key, and its key.
  private var lastKeyed: (key: Int64, text: Value, start: Int)?

  /// An empty batch of rows of one column.
  ///
  /// - Parameter capacity: values that it holds at most, rows times columns.
  package init(capacity: Int) {
    // Sound: both are freed in `deinit`.
    values = .allocate(capacity: capacity)
    texts = .allocate(capacity: textCapacity)
  }

  deinit {
    values.deallocate()
    texts.deallocate()
  }

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
    textCount = 0
    lastKeyed = nil
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

  /// Appends a text, or NULL.
  package func append(_ value: String?) {
    guard var value else { return append(.null) }
    value.withUTF8 { bytes in
      appendText(capacity: bytes.count) { buffer in
        _ = buffer.initialize(from: bytes)
        return bytes.count
      }
    }
  }

  /// Appends a text that `write` puts into at most `capacity` bytes; it returns how many they are.
  ///
  /// Sound: the buffer has room for `capacity` bytes, and `write` returns at most as many.
  package func appendText(capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    if textCount + capacity > textCapacity { grow(toHold: textCount + capacity) }
    let count = write(UnsafeMutableBufferPointer(start: texts + textCount, count: capacity))
    append(.text(start: Int32(textCount), count: Int32(count)))
    textCount += count
  }

  /// Appends a text that a key stands for; the text of the key before it is at hand, since texts in
  /// a row are often equal, or begin alike.
  ///
  /// - Parameter write: writes the text into at most `capacity` bytes and returns how many they
  ///   are; it gets the key that was appended before, with the bytes of its text.
  package func appendText(
    of key: Int64, capacity: Int,
    _ write: (
      UnsafeMutableBufferPointer<UInt8>, _ last: (key: Int64, text: UnsafePointer<UInt8>)?
    ) -> Int
  ) {
    if let lastKeyed, lastKeyed.key == key { return append(lastKeyed.text) }
    let start = textCount
    appendText(capacity: capacity) { buffer in
      // `texts` may have moved when room was made: its address is read here.
      write(buffer, lastKeyed.map { ($0.key, UnsafePointer(texts + $0.start)) })
    }
    lastKeyed = (key, values[valueCount - 1], start)
  }

  // Sound: the bytes in use are copied before their block is freed.
  private func grow(toHold count: Int) {
    let capacity = max(count, 2 * textCapacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: texts, count: textCount)
    texts.deallocate()
    (texts, textCapacity) = (larger, capacity)
  }

  /// Gives SQLite a value as the result of a column. Texts are read where they lie, so nothing may
  /// be appended while a statement reads.
  ///
  /// Sound: SQLite asks only for rows that `xFilter` counted, and their texts stay where they are
  /// until the statement has ended.
  package func result(row: Int, column: Int, to context: OpaquePointer?) {
    guard column < columnCount else { return sqlite3_result_null(context) }
    switch values[row * columnCount + column] {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(let start, let count):
      let text = UnsafeRawPointer(texts + Int(start)).assumingMemoryBound(to: CChar.self)
      sqlite3_result_text(context, text, count, nil)  // nil: static, not copied
    }
  }
}
