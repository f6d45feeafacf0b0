import CZlib

/// Adler-32 of RFC 1950, which ends zlib streams.
package enum Adler32 {
  /// The checksum of no bytes.
  package static let empty: UInt32 = 1

  /// The checksum of the bytes before, continued with more bytes.
  package static func continued(_ checksum: UInt32, with bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let base = bytes.baseAddress else { return checksum }
    // Sound: zlib reads `bytes.count` bytes during the call.
    return UInt32(
      truncatingIfNeeded: adler32_z(
        UInt(checksum), base.assumingMemoryBound(to: UInt8.self), z_size_t(bytes.count)))
  }

  /// The checksum of bytes whose first part has one checksum and whose last `count` bytes have
  /// another one.
  package static func joined(_ first: UInt32, _ last: UInt32, count: Int) -> UInt32 {
    let base: UInt64 = 65_521
    let (low, high) = (UInt64(first & 0xFFFF), UInt64(first >> 16))
    let (lastLow, lastHigh) = (UInt64(last & 0xFFFF), UInt64(last >> 16))
    // The first part's sum counts once more for each byte that follows; each sum began with 1.
    let before = (low + base - 1) % base
    let sum = (before + lastLow) % base
    let weighted = (high + lastHigh + UInt64(count) % base * before) % base
    return UInt32(weighted << 16 | sum)
  }
}
