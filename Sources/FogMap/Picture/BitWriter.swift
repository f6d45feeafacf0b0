/// Writes bits, the lowest first, as deflate does (RFC 1951, 3.1.1).
struct BitWriter {
  /// The complete bytes so far.
  var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingBits = 0

  /// Writes up to 32 bits of `value`, which has no others.
  @inline(__always)
  mutating func write(_ value: UInt32, bits: Int) {
    pending |= UInt64(value) << UInt64(pendingBits)
    pendingBits += bits
    while pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Fills the last byte with zeros.
  mutating func finishByte() { if pendingBits > 0 { write(0, bits: 8 - pendingBits) } }
}
