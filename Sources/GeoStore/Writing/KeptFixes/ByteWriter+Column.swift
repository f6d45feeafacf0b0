extension ByteWriter {
  /// Returns the maximum size in bytes of a column of `count` values.
  static func longestColumnBytes(_ count: Int) -> Int {
    // The first value, the header, and an escape for each other value: 20 + 6 + 64 bits.
    longestVarintBytes + 1 + (count * (RiceCode.escape + 6 + 64) + 7) / 8
  }

  /// Appends a column: the first value as zigzag varint, then, if there are more, the header of a
  /// ``RiceCode`` and a code for each. With `modulo` a difference takes the short way around.
  mutating func append(column values: [Int64], modulo: Int64? = nil) {
    guard let first = values.first else { return }
    append(zigzag: first)
    guard values.count > 1 else { return }
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: values.count - 1) { differences in
      for index in 1..<values.count {
        var difference = values[index] &- values[index - 1]
        if let modulo {
          if difference > modulo / 2 { difference -= modulo }
          if difference < -modulo / 2 { difference += modulo }
        }
        differences.initializeElement(at: index - 1, to: difference)
      }
      append(differences: UnsafeBufferPointer(differences))
    }
  }

  private mutating func append(differences: UnsafeBufferPointer<Int64>) {
    let code = RiceCode(for: differences)
    append(code.header)
    let parameter = UInt64(code.parameter)
    var bits = WaitingBits()
    var previous: Int64 = 0
    for difference in differences {
      let value = UInt64(
        zigzag: code.isSecondOrder ? difference &- previous : difference)
      previous = difference
      let quotient = value >> parameter
      if quotient < UInt64(RiceCode.escape) {
        bits.put((1 &<< quotient) &- 1, Int(quotient) + 1, into: &self)
        bits.putLong(value & ((1 &<< parameter) &- 1), code.parameter, into: &self)
      } else {
        let length = RiceCode.length(of: value)
        bits.put((1 &<< UInt64(RiceCode.escape)) &- 1, RiceCode.escape, into: &self)
        bits.put(UInt64(length - 1), 6, into: &self)
        bits.putLong(value, length, into: &self)
      }
    }
    bits.end(into: &self)
  }
}

/// Bits that do not fill a byte yet.
private struct WaitingBits {
  private var buffer: UInt64 = 0
  private var count = 0

  /// Appends at most 32 bits, so that they fit together with up to seven pending bits.
  @inline(__always)
  mutating func put(_ bits: UInt64, _ count: Int, into writer: inout ByteWriter) {
    buffer |= bits &<< UInt64(self.count)
    self.count += count
    while self.count >= 8 {
      writer.append(UInt8(truncatingIfNeeded: buffer))
      buffer &>>= 8
      self.count -= 8
    }
  }

  /// Appends at most 64 bits.
  @inline(__always)
  mutating func putLong(_ bits: UInt64, _ count: Int, into writer: inout ByteWriter) {
    if count > 32 {
      put(bits & 0xFFFF_FFFF, 32, into: &writer)
      put(bits >> 32, count - 32, into: &writer)
    } else {
      put(bits, count, into: &writer)
    }
  }

  /// Fills the last byte with zeros.
  mutating func end(into writer: inout ByteWriter) {
    if count > 0 { writer.append(UInt8(truncatingIfNeeded: buffer)) }
  }
}
