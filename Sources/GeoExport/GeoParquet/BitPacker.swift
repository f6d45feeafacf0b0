/// Packs integers of a fixed number of bits into bytes, from the lowest bit of each byte on.
///
/// - Source: the encodings of Parquet, "Run Length Encoding / Bit-Packing Hybrid".
struct BitPacker {
  private var pending: UInt64 = 0
  private var pendingBits = 0

  /// Creates a packer without bits.
  init() {}

  /// Appends an integer.
  ///
  /// - Parameters:
  ///   - value: less than 2^`width`.
  ///   - width: its bits, 0...64.
  @inline(__always)
  mutating func append(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
    pending |= value << UInt64(pendingBits)
    guard pendingBits + width >= 64 else {
      pendingBits += width
      return
    }
    bytes.append(littleEndian: pending)
    pending = value >> UInt64(64 - pendingBits)
    pendingBits += width - 64
  }

  /// Appends the last bits, and zero bits to a whole byte.
  mutating func finish(to bytes: inout [UInt8]) {
    while pendingBits > 0 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
    (pending, pendingBits) = (0, 0)
  }

  /// The number of bits that a number takes; 0 for 0.
  static func width(of largest: UInt64) -> Int { 64 - largest.leadingZeroBitCount }
}
