/// The code of a packed column of numbers: differences, or differences of differences, in Rice
/// codes.
///
/// A Rice code of parameter k is a number's quotient by 2ᵏ in unary (that many ones and a zero),
/// followed by the k low bits. It is short for numbers distributed like such differences: small
/// ones frequent, large ones rare (R. F. Rice, "Some practical universal noiseless coding
/// techniques", JPL 79-22, 1979). If the quotient is ``escape`` or more, it is replaced by
/// ``escape`` ones, six bits for the number's length minus one, and the number itself.
struct RiceCode: Equatable {
  /// The parameter k, 0...``greatestParameter``.
  var parameter: Int
  /// Whether differences of differences are written, which suits values that change steadily.
  var isSecondOrder: Bool

  static let greatestParameter = 62
  /// Number of ones that announce an uncoded number.
  static let escape = 20

  /// The byte that identifies the code: the parameter, plus 64 for the second order.
  var header: UInt8 { UInt8(parameter) | (isSecondOrder ? 64 : 0) }

  init(parameter: Int, isSecondOrder: Bool) {
    (self.parameter, self.isSecondOrder) = (parameter, isSecondOrder)
  }

  /// Creates a code from its header.
  ///
  /// - Throws: ``PackedBytesError/malformed`` for a byte that is not a header.
  init(header: UInt8) throws(PackedBytesError) {
    self.init(parameter: Int(header & 63), isSecondOrder: header & 64 != 0)
    guard header < 128, parameter <= Self.greatestParameter else { throw .malformed }
  }

  /// Chooses the code that takes about the fewest bits for some differences.
  ///
  /// - Complexity: O(differences).
  init(for differences: UnsafeBufferPointer<Int64>) {
    let counts = 2 * BitLengths.slots
    // On the stack, because a recording packs its open chunk with each fix.
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

  /// Returns the number of significant bits: 0 for 0, 64 for the greatest number.
  static func length(of value: UInt64) -> Int { 64 - value.leadingZeroBitCount }
}

/// Counts of numbers by their number of bits.
private struct BitLengths {
  /// Number of possible lengths, 0...64.
  static let slots = 65

  // Sound: the caller of `init` keeps the buffer of `slots` counts alive, and a length is at most
  // 64.
  private let counts: UnsafeMutableBufferPointer<Int32>
  private var total = 0
  private var shortest = 64
  private var longest = 0

  /// Creates empty counts.
  ///
  /// - Parameter room: `slots` zeros, which must outlive this value.
  init(_ room: UnsafeMutableBufferPointer<Int32>) { counts = room }

  mutating func count(_ value: UInt64) {
    let length = RiceCode.length(of: value)
    counts[length] += 1
    total += 1
    shortest = min(shortest, length)
    longest = max(longest, length)
  }

  /// The parameter that takes the fewest bits, and approximately how many: one near the length of
  /// the median.
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

  /// Returns the length of the code of a number in the middle of those with a given length.
  private static func bits(length: Int, parameter: Int) -> Int {
    guard length > parameter else { return parameter + 1 }
    let excess = length - parameter
    // The quotient of 1.5 × 2^(length - 1).
    let quotient = excess > 5 ? RiceCode.escape : excess == 1 ? 1 : 3 << (excess - 2)
    if quotient >= RiceCode.escape { return RiceCode.escape + 6 + length }
    return quotient + 1 + parameter
  }
}
