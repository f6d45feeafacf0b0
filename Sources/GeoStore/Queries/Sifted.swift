import Geodesy

/// Entries of a page that may be within a radius, a block at a time on the stack: their indexes, and how far they are from
/// the centre, from ``measure(_:_:)`` on their squared chords and distances.
///
/// Numbers of a kind stand side by side, so that two are computed at once.
struct Sifted {
  /// Entries of a block.
  static let capacity = 32

  private let indexes: UnsafeMutablePointer<Int32>
  /// Differences of latitude, then squared chords.
  private let first: UnsafeMutablePointer<SIMD2<Double>>
  /// Differences of longitude, then distances.
  private let second: UnsafeMutablePointer<SIMD2<Double>>

  /// Calls `body` with room for a block.
  @inline(__always)
  static func withRoom(_ body: (Sifted) -> Void) {
    let pairs = capacity / 2
    // 640 bytes: from 1024 on they would be allocated elsewhere.
    withUnsafeTemporaryAllocation(of: SIMD2<Double>.self, capacity: 2 * pairs + capacity / 4) { room in
      guard let base = room.baseAddress else { return }
      let indexes = UnsafeMutableRawPointer(base + 2 * pairs)
      // In initialised memory, so that computing with a partner that is none is allowed.
      base.initialize(repeating: .zero, count: 2 * pairs)
      body(
        Sifted(
          indexes: indexes.bindMemory(to: Int32.self, capacity: capacity), first: base, second: base + pairs))
    }
  }

  /// Puts an entry at a place of the block, 0..<``capacity``.
  @inline(__always)
  func put(_ index: Int, _ difference: SIMD2<Double>, at place: Int) {
    indexes[place] = Int32(truncatingIfNeeded: index)
    doubles(first)[place] = difference.x
    doubles(second)[place] = difference.y
  }

  /// Makes distances of the differences of the first `count`.
  @inline(__always)
  func measure(_ count: Int, _ near: NearbyDistance) {
    for pair in 0..<(count &+ 1) >> 1 {
      let squared = near.squaredChords(latitudes: first[pair], longitudes: second[pair])
      first[pair] = squared
      second[pair] = near.meters(squaredChords: squared)
    }
  }

  /// The index of an entry in its page.
  @inline(__always)
  func index(at place: Int) -> Int { Int(indexes[place]) }
  /// The squared chord to it in square metres.
  @inline(__always)
  func squaredChord(at place: Int) -> Double { doubles(first)[place] }
  /// The distance to it in metres.
  @inline(__always)
  func meters(at place: Int) -> Double { doubles(second)[place] }

  @inline(__always)
  private func doubles(_ pairs: UnsafeMutablePointer<SIMD2<Double>>) -> UnsafeMutablePointer<Double> {
    UnsafeMutableRawPointer(pairs).assumingMemoryBound(to: Double.self)
  }
}
