/// Runs of equal integers and packed integers in turn: Parquet's encoding of levels and of places
/// in a dictionary.
///
/// A run of equal integers is their count times 2 as a varint, and the integer in whole bytes.
/// Packed integers are their count divided by 8, times 2, plus 1 as a varint, and the integers
/// packed with their width (``BitPacker``); zeros complete the last 8.
///
/// - Source: the encodings of Parquet, "Run Length Encoding / Bit-Packing Hybrid (RLE = 3)".
enum LevelEncoding {
  /// The shortest run of equal integers that is written as such: whole groups are packed.
  private static let shortestRun = 8

  /// Appends integers of `width` bits.
  static func append<Value: FixedWidthInteger & UnsignedInteger>(
    _ values: [Value], width: Int, to bytes: inout [UInt8]
  ) {
    var next = 0
    while next < values.count {
      let end = endOfRun(values, from: next)
      if end - next >= shortestRun || end == values.count {
        bytes.append(varint: UInt64(end - next) << 1)
        var rest = UInt64(values[next])
        for _ in 0..<(width + 7) / 8 {
          bytes.append(UInt8(truncatingIfNeeded: rest))
          rest >>= 8
        }
        next = end
      } else {
        next = appendPacked(values, from: next, width: width, to: &bytes)
      }
    }
  }

  /// Appends groups of 8 integers until a run begins at the start of a group.
  ///
  /// - Returns: the index after them.
  private static func appendPacked<Value: FixedWidthInteger & UnsignedInteger>(
    _ values: [Value], from start: Int, width: Int, to bytes: inout [UInt8]
  ) -> Int {
    var end = start
    repeat {
      end += shortestRun
    } while end < values.count
      && endOfRun(values, from: end, atMost: end + shortestRun)
        < end + shortestRun
    let groups = (end - start) / shortestRun
    bytes.append(varint: UInt64(groups) << 1 | 1)
    var packer = BitPacker()
    for index in start..<end {
      let value = index < values.count ? UInt64(values[index]) : 0
      packer.append(value, width: width, to: &bytes)
    }
    packer.finish(to: &bytes)
    return min(end, values.count)
  }

  private static func endOfRun<Value: Equatable>(
    _ values: [Value], from start: Int, atMost limit: Int = .max
  ) -> Int {
    var end = start + 1
    while end < values.count, end < limit, values[end] == values[start] { end += 1 }
    return end
  }

  /// Appends levels with the number of their bytes before them, as data pages of version 1 have
  /// them.
  static func appendLevels(_ levels: [UInt8], width: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(littleEndian: UInt32(0))
    append(levels, width: width, to: &bytes)
    var count = UInt32(bytes.count - start - 4)
    for place in start..<start + 4 {
      bytes[place] = UInt8(truncatingIfNeeded: count)
      count >>= 8
    }
  }
}
