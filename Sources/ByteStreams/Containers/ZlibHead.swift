/// The first bytes of a zlib stream (RFC 1950), expanded: to detect what is in it.
package enum ZlibHead {
  /// Whether two bytes may begin a stream: deflate, a window of up to 32 KiB, a matching check.
  package static func isHeader(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
      && second & 0x20 == 0
  }

  /// Up to `count` bytes of what the stream expands to; fewer where it ends or is cut. Nil where it
  /// is damaged.
  package static func expand(_ bytes: UnsafeRawBufferPointer, atMost count: Int) -> [UInt8]? {
    guard bytes.count >= 2, isHeader(bytes[0], bytes[1]) else { return nil }
    let stream = InflateStream(.none)
    var expanded: [UInt8] = []
    let result = stream.inflate(UnsafeRawBufferPointer(rebasing: bytes[2...])) { piece in
      expanded.append(contentsOf: piece.prefix(count - expanded.count))
      return expanded.count < count
    }
    if case .failed = result.outcome { return nil }
    return expanded
  }
}
