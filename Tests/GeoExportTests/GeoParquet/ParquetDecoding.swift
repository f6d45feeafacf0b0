/// Reads Parquet's encodings bit by bit.
struct ParquetBits {
  let bytes: [UInt8]
  var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte() -> UInt8 {
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number(_ width: Int) -> UInt64 {
    (0..<width).reduce(0) { $0 | UInt64(byte()) << UInt64(8 * $1) }
  }

  mutating func varint() -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = byte()
      value |= UInt64(next & 127) << shift
      if next < 128 { return value }
      shift += 7
    }
  }

  mutating func zigzag() -> Int64 {
    let value = varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Packed integers, each bit looked up on its own.
  mutating func packed(_ count: Int, width: Int) -> [UInt64] {
    let start = place
    place += (count * width + 7) / 8
    return (0..<count).map { index in
      (0..<width).reduce(0) { value, bit in
        let position = index * width + bit
        return value | UInt64(bytes[start + position / 8] >> (position % 8) & 1) << UInt64(bit)
      }
    }
  }

  /// The runs of a hybrid encoding.
  mutating func levels(_ count: Int, width: Int, end: Int) -> [UInt64] {
    var values: [UInt64] = []
    while place < end {
      let head = varint()
      if head & 1 == 0 {
        values += repeatElement(number((width + 7) / 8), count: Int(head >> 1))
      } else {
        values += packed(Int(head >> 1) * 8, width: width)
      }
    }
    // Only zeros complete the last group.
    guard values.count < count + 8, values.dropFirst(count).allSatisfy({ $0 == 0 }) else {
      return []
    }
    return Array(values.prefix(count))
  }

  /// Levels after the number of their bytes.
  mutating func sizedLevels(_ count: Int, width: Int) -> [UInt64] {
    let end = Int(number(4)) + place
    return levels(count, width: width, end: end)
  }

  /// The integers of the delta encoding.
  mutating func deltas() -> [Int64] {
    let (block, miniblocks, count) = (Int(varint()), Int(varint()), Int(varint()))
    var values = [zigzag()]
    while values.count < count {
      let least = zigzag()
      let widths = (0..<miniblocks).map { _ in Int(byte()) }
      for width in widths where values.count < count {
        for difference in packed(block / miniblocks, width: width) where values.count < count {
          values.append((values.last ?? 0) &+ least &+ Int64(bitPattern: difference))
        }
      }
    }
    return Array(values.prefix(count))
  }
}
