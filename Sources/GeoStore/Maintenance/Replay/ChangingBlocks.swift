import Geodesy

/// The blocks of the Earth near which a region changes, as a set of hashes: 32 kB, so that testing
/// a fix takes a few nanoseconds. It may claim to contain a block that it does not, never the
/// opposite.
struct ChangingBlocks {
  /// The grid of the blocks.
  let grid: BlockGrid
  private let reachMeters: Double
  private var words: [UInt64]

  /// Number of bits of a hash: 10,000 regions in as many blocks set at most 4 % of the bits, and
  /// the circle of each touches one to four.
  private static let hashBits: UInt64 = 18

  /// An empty set for regions that matter within `radiusMeters`.
  init(radiusMeters: Double) {
    grid = BlockGrid(searchRadiusMeters: radiusMeters)
    // A thousandth more, because a fix's distance is measured from the other end.
    reachMeters = 1.001 * radiusMeters
    words = Array(repeating: 0, count: 1 << (Int(Self.hashBits) - 6))
  }

  /// Adds every block in which a position may be nearer to a center than the radius.
  mutating func insert(around center: Coordinate) {
    grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: reachMeters)) {
      let slot = Self.slot($0)
      words[Int(slot >> 6)] |= 1 << UInt64(slot & 63)
    }
  }

  /// The hash of the block of a grid that contains a position.
  static func slot(of position: Coordinate, in grid: BlockGrid) -> UInt32 {
    slot(grid.key(of: position))
  }

  /// Returns false if the block of this hash was not added.
  @inline(__always)
  func mayContain(_ slot: UInt32) -> Bool { words[Int(slot >> 6)] >> UInt64(slot & 63) & 1 == 1 }

  /// Fibonacci hashing, as in ``NumberTable``.
  private static func slot(_ key: Int64) -> UInt32 {
    UInt32((UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> (64 - hashBits))
  }
}
