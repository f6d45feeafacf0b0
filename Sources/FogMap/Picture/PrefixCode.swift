/// A prefix code of deflate (RFC 1951, 3.2.2): the length and bits of each symbol's code.
struct PrefixCode {
  /// The lengths in bits; 0 for symbols without a code.
  private(set) var lengths: [UInt8]
  /// The codes, the first bit lowest.
  private(set) var codes: [UInt16]

  /// Creates a code that is short for frequent symbols.
  ///
  /// It is Huffman's code, unless that has codes longer than `limit`: then some symbols get codes
  /// that are longer than necessary, so that no code is too long.
  ///
  /// - Precondition: at least one count is positive, and at most 2^limit are.
  /// - Complexity: O(s log s) for s symbols.
  init(counts: [UInt32], limit: Int) {
    let symbols = counts.indices.filter { counts[$0] > 0 }.sorted {
      (counts[$0], $0) < (counts[$1], $1)
    }
    lengths = [UInt8](repeating: 0, count: counts.count)
    codes = [UInt16](repeating: 0, count: counts.count)
    let numbers = Self.limited(
      Self.codesByLength(symbols.map { counts[$0] }), total: symbols.count, limit: limit)
    // The rarest symbols get the longest codes.
    var place = 0
    for length in stride(from: limit, to: 0, by: -1) {
      for _ in 0..<numbers[length] {
        lengths[symbols[place]] = UInt8(length)
        place += 1
      }
    }
    number(limit: limit)
  }

  /// How many codes of each length Huffman's algorithm makes for ascending counts; codes of 63 bits
  /// and more are counted as 63.
  private static func codesByLength(_ counts: [UInt32]) -> [Int] {
    var numbers = [Int](repeating: 0, count: 64)
    let count = counts.count
    guard count > 1 else {
      numbers[1] = count
      return numbers
    }
    // Leaves first, then inner nodes in the order in which they are made, which ascends too.
    var weights = counts.map(UInt64.init)
    var parents = [Int](repeating: 0, count: 2 * count - 1)
    var (leaf, inner) = (0, count)
    func next(_ weights: [UInt64]) -> Int {
      if leaf < count, inner == weights.count || weights[leaf] <= weights[inner] {
        leaf += 1
        return leaf - 1
      }
      inner += 1
      return inner - 1
    }
    while weights.count < 2 * count - 1 {
      let (first, second) = (next(weights), next(weights))
      parents[first] = weights.count
      parents[second] = weights.count
      weights.append(weights[first] + weights[second])
    }
    var depths = [Int](repeating: 0, count: weights.count)
    for node in stride(from: weights.count - 2, through: 0, by: -1) {
      depths[node] = depths[parents[node]] + 1
    }
    for leaf in 0..<count { numbers[min(depths[leaf], 63)] += 1 }
    return numbers
  }

  /// Replaces codes that are too long, so that the code stays complete (Kraft's sum is 1).
  private static func limited(_ numbers: [Int], total: Int, limit: Int) -> [Int] {
    var result = Array(numbers[...limit])
    result[limit] += numbers[(limit + 1)...].reduce(0, +)
    guard total > 1 else { return result }
    let full = 1 << limit
    var sum = (1...limit).reduce(0) { $0 + result[$1] << (limit - $1) }
    while sum > full {
      // A code that is one bit longer takes half the room.
      guard let length = (1..<limit).last(where: { result[$0] > 0 }) else { break }
      result[length] -= 1
      result[length + 1] += 1
      sum -= 1 << (limit - length - 1)
    }
    while sum < full, result[limit] > 0 {
      result[limit] -= 1
      result[limit - 1] += 1
      sum += 1
    }
    return result
  }

  /// Numbers the codes as RFC 1951 does, by length and then by symbol.
  private mutating func number(limit: Int) {
    var counts = [UInt16](repeating: 0, count: limit + 1)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [UInt16](repeating: 0, count: limit + 1)
    for length in 1...limit { next[length] = (next[length - 1] &+ counts[length - 1]) << 1 }
    for symbol in lengths.indices where lengths[symbol] > 0 {
      let length = Int(lengths[symbol])
      var (code, reversed) = (next[length], UInt16(0))
      next[length] &+= 1
      for _ in 0..<length {
        reversed = reversed << 1 | code & 1
        code >>= 1
      }
      codes[symbol] = reversed
    }
  }
}
