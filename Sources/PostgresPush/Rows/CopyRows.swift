import Geodesy
import GridHash

/// Rows in the binary format of `COPY`: for each row the number of its fields, and for each field
/// its size and its bytes, all numbers big-endian
/// (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format").
///
/// The bytes of a field are those that the receive function of its type reads.
struct CopyRows {
  /// The rows so far.
  private(set) var bytes: [UInt8] = []
  /// Their number.
  private(set) var count = 0

  /// What comes before the first row: a signature, no flags, no extension.
  static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
  /// What comes after the last row.
  static let trailer: [UInt8] = [0xFF, 0xFF]

  var isEmpty: Bool { count == 0 }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Begins a row.
  mutating func begin(fields: Int) {
    append(Int16(fields))
    count += 1
  }

  mutating func null() { append(Int32(-1)) }

  mutating func put(_ value: Int64?) { number(value) }
  mutating func put(_ value: Int32?) { number(value) }
  mutating func put(_ value: Int16?) { number(value) }
  mutating func put(_ value: Double?) { number(value?.bitPattern) }

  mutating func put(_ value: Bool) {
    append(Int32(1))
    bytes.append(value ? 1 : 0)
  }

  mutating func put(_ value: String?) {
    guard var value else { return null() }
    value.withUTF8 { utf8 in
      append(Int32(utf8.count))
      // A text of PostgreSQL has no zero byte.
      for byte in utf8 { bytes.append(byte == 0 ? UInt8(ascii: " ") : byte) }
    }
  }

  mutating func put(_ value: [UInt8]) {
    append(Int32(value.count))
    bytes += value
  }

  /// A `timestamptz`: microseconds since 2000. PostgreSQL has no time before 4713 BC, and Roqua
  /// none outside the years 0 to 9999.
  mutating func put(_ time: Timestamp?) {
    number(time.map { ($0.millisecondsSince1970 - PostgresTime.epochMilliseconds) * 1_000 })
  }

  /// A `geography(Point, 4326)`: the point in extended WKB with its reference system.
  mutating func put(_ point: Coordinate) {
    append(Int32(25))
    bytes.append(0)  // big-endian
    append(UInt32(0x2000_0001))  // a point with a reference system
    append(UInt32(4326))
    append(point.longitudeDegrees.bitPattern)
    append(point.latitudeDegrees.bitPattern)
  }

  /// A `bit(4096)`: the number of bits, and the rows with their first column on the left.
  mutating func put(bits rows: some Sequence<UInt64>) {
    append(Int32(4 + 512))
    append(Int32(4096))
    for row in rows { append(row.bitReversed) }
  }

  private mutating func number<T: FixedWidthInteger>(_ value: T?) {
    guard let value else { return null() }
    append(Int32(T.bitWidth / 8))
    append(value)
  }

  private mutating func append<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Times of PostgreSQL.
enum PostgresTime {
  /// 2000-01-01T00:00:00Z in milliseconds since 1970: 10,957 days.
  static let epochMilliseconds: Int64 = 10_957 * 86_400_000
}
