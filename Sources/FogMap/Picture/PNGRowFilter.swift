/// Filters the rows of a PNG (W3C PNG, 9.2).
///
/// Rows of gray or colors get the filter whose result looks smallest: none, sub or up. Indexes into
/// a palette are not filtered, since neighboring indexes need not be neighboring colors.
struct PNGRowFilter {
  /// The bytes of a pixel to the left, 1...4.
  private let step: Int
  private let isPalette: Bool
  /// Whether ``previous`` is the row before.
  private var knowsPrevious = true
  /// The row before; zeros before the first one.
  private var previous: [UInt8]
  /// A filter's number, and the row as that filter leaves it.
  private var plain: [UInt8]
  private var sub: [UInt8]
  private var up: [UInt8]

  /// A filter of a picture's first row.
  init(_ format: PNGFormat) {
    step = max(1, format.bitsPerPixel / 8)
    if case .palette = format.pixels { isPalette = true } else { isPalette = false }
    previous = [UInt8](repeating: 0, count: format.rowBytes)
    plain = [0] + previous
    sub = [1] + previous
    up = [2] + previous
  }

  /// Prepares for a row below one that this filter has not seen.
  mutating func begin() { knowsPrevious = false }

  /// A filter's number and the filtered row.
  ///
  /// - Precondition: the row has as many bytes as the format says.
  mutating func filtered(_ row: UnsafeRawBufferPointer) -> [UInt8] {
    precondition(row.count == previous.count, "a row of another picture")
    plain.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[1...]).copyMemory(from: row)
    }
    if isPalette { return plain }
    let (noneCost, subCost, upCost) = filter(row)
    previous.withUnsafeMutableBytes { $0.copyMemory(from: row) }
    let mayUseUp = knowsPrevious
    knowsPrevious = true
    if mayUseUp, upCost <= min(noneCost, subCost) { return up }
    return subCost < noneCost ? sub : plain
  }

  /// Fills `sub` and `up`, and returns the sum of the sizes of the bytes of each filter, taken as
  /// signed numbers: the heuristic of W3C PNG, 12.7.
  ///
  /// Sound: `row` and `previous` have as many bytes, the filtered rows one more.
  private mutating func filter(_ row: UnsafeRawBufferPointer) -> (none: Int, sub: Int, up: Int) {
    let (count, step) = (row.count, step)
    return previous.withUnsafeBytes { above in
      sub.withUnsafeMutableBytes { sub in
        up.withUnsafeMutableBytes { up in
          for index in 0..<count { up[index &+ 1] = row[index] &- above[index] }
          for index in 0..<step { sub[index &+ 1] = row[index] }
          for index in step..<count { sub[index &+ 1] = row[index] &- row[index &- step] }
          return (
            Self.cost(row), Self.cost(UnsafeRawBufferPointer(rebasing: sub[1...])),
            Self.cost(UnsafeRawBufferPointer(rebasing: up[1...]))
          )
        }
      }
    }
  }

  private static func cost(_ bytes: UnsafeRawBufferPointer) -> Int {
    var total = 0
    var start = 0
    while start < bytes.count {
      // Blocks whose sum fits 32 bits, so that the compiler uses vectors.
      let end = min(start + 1 << 16, bytes.count)
      var sum: UInt32 = 0
      for index in start..<end {
        let byte = bytes[index]
        sum &+= UInt32(min(byte, 0 &- byte))
      }
      total += Int(sum)
      start = end
    }
    return total
  }
}
