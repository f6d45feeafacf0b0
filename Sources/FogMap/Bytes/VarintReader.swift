/// Reads varints: seven bits a byte, the low ones first, a high bit in all bytes but the last.
struct VarintReader {
  /// The bytes, which outlive the reader.
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all bytes were read.
  var isAtEnd: Bool { offset == bytes.count }
  /// The number of bytes not read yet.
  var bytesLeft: Int { bytes.count - offset }

  /// The next byte; nil at the end.
  mutating func byte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    offset += 1
    return bytes[offset - 1]
  }

  /// The next number, below 2^35; nil at the end or for a larger one.
  mutating func varint() -> Int? {
    var (value, shift) = (0, 0)
    while shift < 35, let next = byte() {
      value |= Int(next & 127) << shift
      if next < 128 { return value }
      shift += 7
    }
    return nil
  }

  /// The next signed number: 0, −1, 1, −2, … are 0, 1, 2, 3, …
  mutating func signed() -> Int? { varint().map { $0 >> 1 ^ -($0 & 1) } }
}
