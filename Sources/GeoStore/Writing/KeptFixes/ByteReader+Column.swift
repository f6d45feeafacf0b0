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
    var bits = BitReader(unreadBytes)
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
    skip(try bits.end())
    return values
  }
}

/// Reads bits, the low ones of a byte first.
private struct BitReader {
  // Sound: the reader of a column keeps the bytes alive, and `ahead` looks at no other.
  private let bytes: UnsafeRawBufferPointer
  /// Bits that were read.
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Bits that are always ``ahead``: eight bytes, less seven bits of the first.
  private static let bitsAhead = 57

  /// The next bits, at least ``bitsAhead``; zeros behind the last byte.
  @inline(__always)
  private var ahead: UInt64 {
    let byte = position >> 3
    let word =
      byte + 8 <= bytes.count
      ? UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
      : lastBytes(from: byte)
    return word &>> UInt64(position & 7)
  }

  private func lastBytes(from byte: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in stride(from: bytes.count - 1, through: byte, by: -1) {
      word = word << 8 | UInt64(bytes[index])
    }
    return word
  }

  /// Takes some of the bits ahead.
  @inline(__always)
  private mutating func advance(_ count: Int) throws(PackedBytesError) {
    position += count
    if position > 8 * bytes.count { throw .truncated }
  }

  /// At most 64 bits.
  private mutating func bits(_ count: Int) throws(PackedBytesError) -> UInt64 {
    guard count <= 32 else {
      let low = try bits(32)
      return low | (try bits(count - 32)) << 32
    }
    let value = ahead & (1 << UInt64(count) - 1)
    try advance(count)
    return value
  }

  /// The next number.
  @inline(__always)
  mutating func value(of code: RiceCode) throws(PackedBytesError) -> UInt64 {
    let ahead = ahead
    let quotient = (~ahead).trailingZeroBitCount
    let length = quotient + 1 + code.parameter
    guard quotient < RiceCode.escape, length <= Self.bitsAhead else {
      return try longValue(of: code, quotient: quotient)
    }
    try advance(length)
    // No shift is by 64 or more: the length is less.
    let low = ahead &>> UInt64(quotient + 1) & (1 &<< UInt64(code.parameter) &- 1)
    return UInt64(quotient) &<< UInt64(code.parameter) | low
  }

  /// A number whose code is longer than the bits ahead, or that is written as it is: one that needs
  /// it, without leading zeros.
  private mutating func longValue(
    of code: RiceCode, quotient: Int
  ) throws(PackedBytesError) -> UInt64 {
    guard quotient >= RiceCode.escape else {
      try advance(quotient + 1)
      let high = UInt64(quotient) << UInt64(code.parameter)
      guard high >> UInt64(code.parameter) == UInt64(quotient) else { throw .malformed }
      return high | (try bits(code.parameter))
    }
    try advance(RiceCode.escape)
    let length = Int(try bits(6)) + 1
    let value = try bits(length)
    guard RiceCode.length(of: value) == length,
      value >> UInt64(code.parameter) >= UInt64(RiceCode.escape)
    else { throw .malformed }
    return value
  }

  /// Bytes of which a bit was read; the other bits of the last are 0.
  func end() throws(PackedBytesError) -> Int {
    guard position & 7 == 0 || bytes[position >> 3] >> UInt8(position & 7) == 0 else {
      throw .malformed
    }
    return (position + 7) >> 3
  }
}
