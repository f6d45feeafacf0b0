/// How a column of numbers is packed: as differences, or differences of differences, in Rice codes.
///
/// A Rice code of parameter k is a number's quotient by 2ᵏ in ones, a zero, and the k low bits. It
/// is short where numbers are spread as such differences are: small ones often, large ones seldom
/// (R. F. Rice, "Some practical universal noiseless coding techniques", JPL 79-22, 1979). A quotient
/// of ``escape`` or more is written as that many ones, six bits for the number's length less one,
/// and the number.
struct RiceCode: Equatable {
  /// The parameter k, 0...``greatestParameter``.
  var parameter: Int
  /// Whether differences of differences are written: for what goes on as it did.
  var isSecondOrder: Bool

  static let greatestParameter = 62
  /// Ones that say that a number follows as it is.
  static let escape = 20

  /// The byte that says which code is used: the parameter, and 64 for the second order.
  var header: UInt8 { UInt8(parameter) | (isSecondOrder ? 64 : 0) }

  init(parameter: Int, isSecondOrder: Bool) {
    (self.parameter, self.isSecondOrder) = (parameter, isSecondOrder)
  }

  /// - Throws: ``PackedBytesError/malformed`` for a byte that is no header.
  init(header: UInt8) throws(PackedBytesError) {
    self.init(parameter: Int(header & 63), isSecondOrder: header & 64 != 0)
    guard header < 128, parameter <= Self.greatestParameter else { throw .malformed }
  }

  /// The code that takes about the fewest bits for some differences.
  ///
  /// - Complexity: O(differences).
  init(for differences: UnsafeBufferPointer<Int64>) {
    let counts = 2 * BitLengths.slots
    // On the stack: a recording packs its open chunk with each fix.
    self = withUnsafeTemporaryAllocation(of: Int32.self, capacity: counts) { room in
      room.initialize(repeating: 0)
      var first = BitLengths(UnsafeMutableBufferPointer(rebasing: room[..<BitLengths.slots]))
      var second = BitLengths(UnsafeMutableBufferPointer(rebasing: room[BitLengths.slots...]))
      var previous: Int64 = 0
      for difference in differences {
        first.count(Self.zigzag(difference))
        second.count(Self.zigzag(difference &- previous))
        previous = difference
      }
      let (one, two) = (first.best, second.best)
      return RiceCode(
        parameter: one.bits <= two.bits ? one.parameter : two.parameter,
        isSecondOrder: two.bits < one.bits)
    }
  }

  /// 0, -1, 1, -2 … as 0, 1, 2, 3 ….
  static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }

  /// The number that ``zigzag(_:)`` made this of.
  static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Bits of a number: 0 for 0, 64 for the greatest.
  static func length(of value: UInt64) -> Int { 64 - value.leadingZeroBitCount }
}

/// How many numbers have how many bits.
private struct BitLengths {
  /// Lengths that there are, 0...64.
  static let slots = 65

  // Sound: the caller of `init` keeps the room of `slots` counts, and a length is at most 64.
  private let counts: UnsafeMutableBufferPointer<Int32>
  private var total = 0
  private var shortest = 64
  private var longest = 0

  /// - Parameter room: `slots` zeros, which must outlive this.
  init(_ room: UnsafeMutableBufferPointer<Int32>) { counts = room }

  mutating func count(_ value: UInt64) {
    let length = RiceCode.length(of: value)
    counts[length] += 1
    total += 1
    shortest = min(shortest, length)
    longest = max(longest, length)
  }

  /// The parameter that takes the fewest bits, and about how many: one near the length of the number
  /// in the middle.
  var best: (parameter: Int, bits: Int) {
    var (middle, below) = (shortest, 0)
    while middle < longest, 2 * (below + Int(counts[middle])) < total {
      below += Int(counts[middle])
      middle += 1
    }
    var best = (parameter: 0, bits: Int.max)
    for parameter in max(0, middle - 2)...min(middle + 1, RiceCode.greatestParameter) {
      var bits = 0
      for length in shortest...max(shortest, longest) where counts[length] > 0 {
        bits += Int(counts[length]) * Self.bits(length: length, parameter: parameter)
      }
      if bits < best.bits { best = (parameter, bits) }
    }
    return best
  }

  /// Bits of the code of a number in the middle of those of a length.
  private static func bits(length: Int, parameter: Int) -> Int {
    guard length > parameter else { return parameter + 1 }
    let excess = length - parameter
    // The quotient of 1.5 × 2^(length - 1).
    let quotient = excess > 5 ? RiceCode.escape : excess == 1 ? 1 : 3 << (excess - 2)
    if quotient >= RiceCode.escape { return RiceCode.escape + 6 + length }
    return quotient + 1 + parameter
  }
}

extension ByteWriter {
  /// Bytes that a column of `count` values takes at most.
  static func longestColumnBytes(_ count: Int) -> Int {
    // The first value, the header, and of each other one an escape: 20 + 6 + 64 bits.
    longestVarintBytes + 1 + (count * (RiceCode.escape + 6 + 64) + 7) / 8
  }

  /// A column: the first value as zigzag varint, then, if there are more, the header of a
  /// ``RiceCode`` and a code for each. With `modulo` a difference takes the short way round.
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
      let value = RiceCode.zigzag(code.isSecondOrder ? difference &- previous : difference)
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

  /// Takes at most 32 bits, so that they fit beside the seven that may wait.
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

  /// Takes at most 64 bits.
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
      let residual = RiceCode.unzigzag(try bits.value(of: code))
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
