import ByteStreams

/// The chunks of a PNG: a length, four letters, the data, and a checksum of letters and data.
///
/// - Source: W3C PNG (Third Edition), 5.3.
enum PNGChunk {
  /// Appends a chunk. `name` has four ASCII letters.
  static func append(_ name: StaticString, _ data: [UInt8], to bytes: inout [UInt8]) {
    bytes += number(data.count)
    let start = bytes.count
    // Sound: a literal's bytes are valid for ever.
    bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    bytes += data
    let checksum = bytes.withUnsafeBytes {
      CRC32.continued(0, with: UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    bytes += number(Int(checksum))
  }

  /// Four bytes, the highest first.
  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
