import GridHash

/// Reads the rows of `COPY … TO STDOUT BINARY`, one message each (``CopyRows`` describes them).
struct CopyRowReader {
  private let bytes: [UInt8]
  private var place = 0
  private let table: String

  /// Begins a row.
  ///
  /// - Parameters:
  ///   - message: a message; the first one begins with the header.
  ///   - table: the table, for errors.
  /// - Returns: nil for what comes after the last row.
  /// - Throws: ``PostgresError/damaged(table:reason:)`` if the row has another number of fields.
  init?(_ message: [UInt8], fields: Int, of table: String) throws(PostgresError) {
    (bytes, self.table) = (message, table)
    if message.starts(with: CopyRows.header.prefix(11)) { place = CopyRows.header.count }
    let count: Int16 = try integer()
    if count == -1 { return nil }
    guard count == fields else { throw damaged }
  }

  mutating func int64() throws(PostgresError) -> Int64? {
    guard let size = try size() else { return nil }
    guard size == 8 else { throw damaged }
    return try integer()
  }

  mutating func int32() throws(PostgresError) -> Int32? {
    guard let size = try size() else { return nil }
    guard size == 4 else { throw damaged }
    return try integer()
  }

  mutating func double() throws(PostgresError) -> Double? {
    try int64().map { Double(bitPattern: UInt64(bitPattern: $0)) }
  }

  mutating func data() throws(PostgresError) -> [UInt8]? {
    guard let size = try size() else { return nil }
    defer { place += size }
    return Array(bytes[place..<place + size])
  }

  mutating func text() throws(PostgresError) -> String? {
    try data().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The rows of a `bit(4096)`.
  mutating func bits() throws(PostgresError) -> [UInt64] {
    guard let data = try data(), data.count == 516, Array(data.prefix(4)) == [0, 0, 16, 0] else {
      throw damaged
    }
    return (0..<64).map { row in
      data[4 + 8 * row..<12 + 8 * row].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }.bitReversed
    }
  }

  /// A value that must not be NULL.
  func required<T>(_ value: T?) throws(PostgresError) -> T {
    guard let value else { throw damaged }
    return value
  }

  private var damaged: PostgresError {
    .damaged(table: "roqua.\(table)", reason: "a row has other columns than expected")
  }

  /// The size of the next field, which is all there; nil for NULL.
  private mutating func size() throws(PostgresError) -> Int? {
    let size: Int32 = try integer()
    if size == -1 { return nil }
    guard size >= 0, Int(size) <= bytes.count - place else { throw damaged }
    return Int(size)
  }

  private mutating func integer<T: FixedWidthInteger>() throws(PostgresError) -> T {
    let count = T.bitWidth / 8
    guard place + count <= bytes.count else { throw damaged }
    defer { place += count }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
  }
}
