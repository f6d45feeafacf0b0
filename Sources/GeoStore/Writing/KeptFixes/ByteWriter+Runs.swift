extension ByteWriter {
  /// Upper bound of the bytes of `append(runs:)` for some flags.
  static func longestRunsBytes(_ count: Int) -> Int { (count + 3) * longestVarintBytes }

  /// Appends the runs of flags that are true: varints of their number, and of each the distance
  /// from the end of the run before and the length.
  mutating func append(runs flags: [Bool]) {
    var runs: [Range<Int>] = []
    for index in flags.indices where flags[index] {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    append(varint: UInt64(runs.count))
    var end = 0
    for run in runs {
      append(varint: UInt64(run.lowerBound - end))
      append(varint: UInt64(run.count))
      end = run.upperBound
    }
  }
}

extension ByteReader {
  /// Reads the runs of flags that are true, among some flags.
  mutating func runs(of count: Int) throws(PackedBytesError) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var end = 0
    for index in 0..<(try self.count(atMost: count)) {
      let start = end + (try self.count(atMost: count - end))
      let length = try self.count(atMost: count - start)
      // Touching or empty runs would give the same flags as others.
      guard length > 0, index == 0 || start > end else { throw .malformed }
      end = start + length
      runs.append(start..<end)
    }
    return runs
  }
}
