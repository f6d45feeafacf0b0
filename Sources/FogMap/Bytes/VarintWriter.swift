/// Writes integers as LEB128 varints: seven bits a byte, the low ones first, and a high bit in
/// every byte but the last.
struct VarintWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends an unsigned integer.
  mutating func append(_ value: Int) {
    var rest = UInt(bitPattern: value)
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends a signed integer as an unsigned one: 0, -1, 1, -2, … are 0, 1, 2, 3, …
  mutating func append(signed value: Int) { append(value << 1 ^ value >> 63) }

  /// Appends bytes as they are.
  mutating func append(contentsOf more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}
