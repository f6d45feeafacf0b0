/// The differences between integers, packed with as few bits as a block of them needs.
///
/// The header is the number of integers of a block, the number of miniblocks of a block and the
/// number of integers as varints, and the first integer as a zigzag varint. A block is the least
/// difference as a zigzag varint, a byte for each miniblock with its width, and the miniblocks: the
/// differences less the least one, packed with that width. Zeros complete the last miniblock;
/// miniblocks after it have the width 0 and no bytes.
///
/// - Source: the encodings of Parquet, "Delta Encoding (DELTA_BINARY_PACKED = 5)".
enum DeltaEncoding {
  private static let blockCount = 128
  private static let miniblocks = 4
  private static let miniblockCount = 32

  /// Appends integers.
  static func append(_ values: [Int64], to bytes: inout [UInt8]) {
    bytes.append(varint: UInt64(blockCount))
    bytes.append(varint: UInt64(miniblocks))
    bytes.append(varint: UInt64(values.count))
    bytes.append(varint: (values.first ?? 0).zigzag)
    // The differences wrap around, so that each fits in 64 bits; readers add with wrapping.
    var differences: [Int64] = []
    differences.reserveCapacity(blockCount)
    for start in stride(from: 1, to: values.count, by: blockCount) {
      differences.removeAll(keepingCapacity: true)
      for index in start..<min(values.count, start + blockCount) {
        differences.append(values[index] &- values[index - 1])
      }
      appendBlock(differences, to: &bytes)
    }
  }

  private static func appendBlock(_ differences: [Int64], to bytes: inout [UInt8]) {
    let least = differences.min() ?? 0
    bytes.append(varint: least.zigzag)
    let widthsPlace = bytes.count
    for _ in 0..<miniblocks { bytes.append(0) }
    var packer = BitPacker()
    for start in stride(from: 0, to: differences.count, by: miniblockCount) {
      let end = min(differences.count, start + miniblockCount)
      var union: UInt64 = 0
      for index in start..<end { union |= UInt64(bitPattern: differences[index] &- least) }
      let width = BitPacker.width(of: union)
      bytes[widthsPlace + start / miniblockCount] = UInt8(width)
      for index in start..<start + miniblockCount {
        let value = index < end ? UInt64(bitPattern: differences[index] &- least) : 0
        packer.append(value, width: width, to: &bytes)
      }
      packer.finish(to: &bytes)
    }
  }
}
