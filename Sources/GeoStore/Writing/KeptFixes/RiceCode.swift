/// How a column of numbers is packed: as differences, or differences of differences, in Rice codes.
///
/// A Rice code of parameter k is a number's quotient by 2ᵏ in unary (that many ones and a zero),
/// and the k low bits. It is short if numbers are spread as such differences are: small ones often,
/// large ones seldom (R. F. Rice, "Some practical universal noiseless coding techniques",
/// JPL 79-22, 1979). If the quotient is ``escape`` or more, ``escape`` ones follow, six bits for
/// the number's length less one, and the number.
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
        first.count(UInt64(zigzag: difference))
        second.count(UInt64(zigzag: difference &- previous))
        previous = difference
      }
      let (one, two) = (first.best, second.best)
      return RiceCode(
        parameter: one.bits <= two.bits ? one.parameter : two.parameter,
        isSecondOrder: two.bits < one.bits)
    }
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

  /// The parameter that takes the fewest bits, and about how many: one near the length of the
  /// median.
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
