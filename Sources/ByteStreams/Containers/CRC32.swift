import CZlib

/// CRC-32 of RFC 1952, which zip, gzip, PNG and Parquet use, by zlib.
///
/// `Geocode` has its own, since an app that only looks up places links no zlib. Here zlib is linked
/// for streams anyway, and on many systems it uses the processor's instructions for the checksum.
package enum CRC32 {
  /// The checksum of the bytes before, continued with more bytes. The checksum of no bytes is 0.
  package static func continued(_ checksum: UInt32, with bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let base = bytes.baseAddress else { return checksum }
    // Sound: zlib reads `bytes.count` bytes during the call.
    return UInt32(
      truncatingIfNeeded: crc32_z(
        UInt(checksum), base.assumingMemoryBound(to: UInt8.self), z_size_t(bytes.count)))
  }
}
