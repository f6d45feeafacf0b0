extension Tile {
  /// The cells as 512 bytes, as bit strings have them: cell 64 × row + column is that bit from the
  /// left, and the leftmost bit of a byte is its highest one.
  package var bitString: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    for row in 0..<64 {
      withUnsafeBytes(of: self[row: row].bitReversed.bigEndian) { bytes += $0 }
    }
    return bytes
  }
}

extension UInt64 {
  /// The bits in reverse order.
  package var bitReversed: UInt64 {
    var value = byteSwapped
    value = (value & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (value >> 4) & 0x0F0F_0F0F_0F0F_0F0F
    value = (value & 0x3333_3333_3333_3333) << 2 | (value >> 2) & 0x3333_3333_3333_3333
    return (value & 0x5555_5555_5555_5555) << 1 | (value >> 1) & 0x5555_5555_5555_5555
  }
}
