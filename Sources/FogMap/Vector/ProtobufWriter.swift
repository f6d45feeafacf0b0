/// Writes the fields of a Protocol Buffers message.
///
/// - Source: Protocol Buffers, "Encoding".
struct ProtobufWriter {
  /// The bytes so far.
  private(set) var bytes: [UInt8] = []

  /// Appends a number alone, 7 bits a byte, the lowest first.
  @inline(__always)
  mutating func append(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Writes a field that is a number.
  mutating func write(_ value: UInt64, field: UInt64) {
    append(field << 3)
    append(value)
  }

  /// Writes a field that is a text, a message or packed numbers.
  mutating func write(_ content: [UInt8], field: UInt64) {
    append(field << 3 | 2)
    append(UInt64(content.count))
    bytes += content
  }

  /// A signed number as one that is small if its size is: 0, -1, 1, -2 become 0, 1, 2, 3.
  static func zigzag(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value << 1 ^ value >> 63)) }
}
