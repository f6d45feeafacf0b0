extension ByteReader {
  /// A column of `count` values as ``ByteWriter/append(column:modulo:)`` wrote it; with `modulo`
  /// they are brought to -modulo/2..<modulo/2.
  ///
  /// - Precondition: memory for `count` values may be taken.
  mutating func column(_ count: Int, modulo: Int64? = nil) throws(PackedBytesError) -> [Int64] {
    guard count > 0 else { return [] }
    var value = try zigzag()
    var values: [Int64] = []
    values.reserveCapacity(count)
    values.append(value)
    guard count > 1 else { return values }
    let code = try RiceCode(header: try byte())
    var bits = BitReader(self)
    var difference: Int64 = 0
    for _ in 1..<count {
      let residual = Int64(zigzag: try bits.value(of: code))
      difference = code.isSecondOrder ? difference &+ residual : residual
      value &+= difference
      if let modulo {
        if value >= modulo / 2 { value &-= modulo }
        if value < -modulo / 2 { value &+= modulo }
      }
      values.append(value)
    }
    self = try bits.end()
    return values
  }
}

/// Reads bits, the low ones of a byte first.
private struct BitReader {
  private var bytes: ByteReader
  private var buffer: UInt64 = 0
  private var available = 0

  init(_ bytes: ByteReader) { self.bytes = bytes }

  /// Reads bytes until there are `count` bits, at most 57.
  private mutating func fill(_ count: Int) throws(PackedBytesError) {
    while available < count {
      buffer |= UInt64(try bytes.byte()) << UInt64(available)
      available += 8
    }
  }

  private mutating func take(_ count: Int) -> UInt64 {
    defer {
      buffer >>= UInt64(count)
      available -= count
    }
    return buffer & (1 << UInt64(count) - 1)
  }

  /// At most 64 bits.
  private mutating func long(_ count: Int) throws(PackedBytesError) -> UInt64 {
    guard count > 32 else {
      try fill(count)
      return take(count)
    }
    try fill(32)
    let low = take(32)
    try fill(count - 32)
    return low | take(count - 32) << 32
  }

  /// The next number.
  mutating func value(of code: RiceCode) throws(PackedBytesError) -> UInt64 {
    var quotient = 0
    while true {
      try fill(1)
      let ones = min((~buffer).trailingZeroBitCount, available, RiceCode.escape - quotient)
      _ = take(ones)
      quotient += ones
      if quotient == RiceCode.escape { return try escaped(code) }
      if available > 0 { break }
    }
    _ = take(1)  // the zero
    let high = UInt64(quotient) << UInt64(code.parameter)
    guard high >> UInt64(code.parameter) == UInt64(quotient) else { throw .malformed }
    return high | (try long(code.parameter))
  }

  /// A number that is written as it is: one that needs it, without leading zeros.
  private mutating func escaped(_ code: RiceCode) throws(PackedBytesError) -> UInt64 {
    let length = Int(try long(6)) + 1
    let value = try long(length)
    guard RiceCode.length(of: value) == length,
      value >> UInt64(code.parameter) >= UInt64(RiceCode.escape)
    else { throw .malformed }
    return value
  }

  /// What follows the last byte of which a bit was read; its other bits are 0.
  func end() throws(PackedBytesError) -> ByteReader {
    guard buffer == 0 else { throw .malformed }
    return bytes
  }
}
