/// The checksum of FIT headers and files: CRC-16 with the reflected polynomial 0xA001, which starts
/// at 0. Bytes followed by their own checksum, low byte first, have the checksum 0.
///
/// - Source: FIT protocol, "CRC"; the same as CRC-16/ARC.
struct FITChecksum {
  private(set) var value: UInt16 = 0

  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
  }

  /// Adds `count` bytes.
  ///
  /// Sound: the caller provides `count` bytes at `start`; the table has an entry for each byte.
  mutating func add(_ start: UnsafePointer<UInt8>, count: Int) {
    let sum = Self.table.withUnsafeBufferPointer { table in
      var sum = value
      for index in 0..<count {
        sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ start[index])]
      }
      return sum
    }
    value = sum
  }

  /// The checksum with `count` more bytes.
  func adding(_ start: UnsafePointer<UInt8>, count: Int) -> UInt16 {
    var sum = self
    sum.add(start, count: count)
    return sum.value
  }
}
