extension ByteReader {
  /// Reads a column of `count` values written by ``ByteWriter/append(column:modulo:)``. With
  /// `modulo` the values are reduced to -modulo/2..<modulo/2.
  ///
  /// - Precondition: the caller has bounded `count`, since memory for that many values is
  ///   allocated.
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

/// Reads bits, low bits of a byte first.
private struct BitReader {
  // Sound: the reader of the column keeps the bytes alive, and `ahead` reads no others.
  private let bytes: UnsafeRawBufferPointer
  /// Number of bits read.
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Number of bits always available in ``ahead``: eight bytes minus seven bits of the first.
  private static let bitsAhead = 57

  /// The next bits, at least ``bitsAhead`` of them; zeros after the last byte.
  ///
  /// Sound: eight bytes are loaded only if the buffer has them from `byte` on.
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

  /// Consumes some of the bits ahead.
  @inline(__always)
  private mutating func advance(_ count: Int) throws(PackedBytesError) {
    position += count
    if position > 8 * bytes.count { throw .truncated }
  }

  /// Reads at most 64 bits.
  private mutating func bits(_ count: Int) throws(PackedBytesError) -> UInt64 {
    guard count <= 32 else {
      let low = try bits(32)
      return low | (try bits(count - 32)) << 32
    }
    let value = ahead & (1 << UInt64(count) - 1)
    try advance(count)
    return value
  }

  /// Reads the next number.
  @inline(__always)
  mutating func value(of code: RiceCode) throws(PackedBytesError) -> UInt64 {
    let ahead = ahead
    let quotient = (~ahead).trailingZeroBitCount
    let length = quotient + 1 + code.parameter
    guard quotient < RiceCode.escape, length <= Self.bitsAhead else {
      return try longValue(of: code, quotient: quotient)
    }
    try advance(length)
    // No shift is by 64 or more, because the length is less.
    let low = ahead &>> UInt64(quotient + 1) & (1 &<< UInt64(code.parameter) &- 1)
    return UInt64(quotient) &<< UInt64(code.parameter) | low
  }

  /// Reads a number whose code is longer than the bits ahead, or that is uncoded: it must need the
  /// escape and have no leading zeros.
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

  /// Returns the number of bytes from which a bit was read. The remaining bits of the last byte
  /// must be 0.
  func end() throws(PackedBytesError) -> Int {
    guard position & 7 == 0 || bytes[position >> 3] >> UInt8(position & 7) == 0 else {
      throw .malformed
    }
    return (position + 7) >> 3
  }
}
