import CSQLite
import Geodesy

/// Rows in memory that one statement inserts: `INSERT INTO t SELECT c0, c1 FROM \(RowBatch.tableName)`.
///
/// Bound one by one, a row of `visited_regions` takes sixteen calls, and SQLite opens a cursor on the table and on each
/// index anew. Read from here as a virtual table, a batch opens them once
/// (`docs/decisions/regions-by-geohash.md`).
///
/// Values are appended in the order of the columns, row after row. Not `Sendable`: it belongs to one connection.
final class RowBatch {
  /// The name under which a statement reads the batch. It is random for each process: a table of that name in the
  /// database would be read in its place.
  static let tableName = "roqua_rows_" + String(UInt64.random(in: .min ... .max), radix: 16)

  /// Columns that the table of rows has: `c0`, `c1`, … .
  static let maximumColumns = 20

  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// Bytes of ``texts``.
    case text(start: Int32, count: Int32)
  }

  // Storage of its own instead of arrays: a batch takes a dozen values for each region, and an array in a class
  // checks for exclusive access at each of them.
  private var columnCount = 1
  private let values: UnsafeMutableBufferPointer<Value>
  private var valueCount = 0
  private var texts: UnsafeMutablePointer<UInt8>
  private var textCapacity = 1 << 12
  private var textCount = 0
  /// The time that was appended last, and where its text is: the next is often of the same day, or the same.
  private var lastTime: (time: Timestamp, text: Value, start: Int)?

  /// An empty batch of rows of one column.
  ///
  /// - Parameter capacity: values that it holds at most, rows times columns.
  init(capacity: Int) {
    values = .allocate(capacity: capacity)
    texts = .allocate(capacity: textCapacity)
  }

  deinit {
    values.deallocate()
    texts.deallocate()
  }

  /// Number of whole rows.
  var rowCount: Int { valueCount / columnCount }

  /// Whether another row finds room.
  var hasRoom: Bool { valueCount + columnCount <= values.count }

  /// Forgets all rows; those that follow have `columns` values each, 1...``maximumColumns``.
  func begin(columns: Int) {
    precondition((1...Self.maximumColumns).contains(columns), "the table of rows has no more columns")
    columnCount = columns
    valueCount = 0
    textCount = 0
    lastTime = nil
  }

  private func append(_ value: Value) {
    precondition(valueCount < values.count, "the batch is full")
    values.initializeElement(at: valueCount, to: value)
    valueCount += 1
  }

  /// Appends an integer, or NULL.
  func append(_ value: Int64?) {
    append(value.map(Value.integer) ?? .null)
  }

  /// Appends a number, or NULL.
  func append(_ value: Double?) {
    append(value.map(Value.real) ?? .null)
  }

  /// Appends a text, or NULL.
  func append(_ value: String?) {
    guard var value else { return append(.null) }
    value.withUTF8 { bytes in
      appendText(capacity: bytes.count) { buffer in
        _ = buffer.initialize(from: bytes)
        return bytes.count
      }
    }
  }

  /// Appends a time as ISO 8601, or NULL.
  func append(_ time: Timestamp?) {
    guard let time else { return append(.null) }
    if let lastTime, lastTime.time == time { return append(lastTime.text) }
    let start = textCount
    appendText(capacity: Timestamp.maximumISO8601Bytes) { buffer in
      guard let lastTime, lastTime.time.daysSince1970 == time.daysSince1970 else {
        return time.writeISO8601(to: buffer)
      }
      buffer.baseAddress?.update(from: texts + lastTime.start, count: Timestamp.iso8601DateBytes)
      let rest = UnsafeMutableBufferPointer(rebasing: buffer[Timestamp.iso8601DateBytes...])
      return Timestamp.iso8601DateBytes + time.writeISO8601Clock(to: rest)
    }
    lastTime = (time, values[valueCount - 1], start)
  }

  /// Appends a geohash.
  func append(_ geohash: Geohash) {
    appendText(capacity: geohash.length) { geohash.write(to: $0) }
  }

  /// Appends a text that `write` puts into at most `capacity` bytes; it returns how many they are.
  private func appendText(capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    if textCount + capacity > textCapacity { grow(toHold: textCount + capacity) }
    let count = write(UnsafeMutableBufferPointer(start: texts + textCount, count: capacity))
    append(.text(start: Int32(textCount), count: Int32(count)))
    textCount += count
  }

  private func grow(toHold count: Int) {
    let capacity = max(count, 2 * textCapacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: texts, count: textCount)
    texts.deallocate()
    (texts, textCapacity) = (larger, capacity)
  }

  /// Gives SQLite a value as the result of a column. Texts are read where they lie, so nothing may be appended
  /// while a statement reads.
  func result(row: Int, column: Int, to context: OpaquePointer?) {
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
