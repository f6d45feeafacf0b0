import Geodesy

/// Entries of a page that may be within a radius, a block at a time on the stack: their indexes,
/// and how far they are from the center, from ``measure(_:_:)`` on their squared chords and
/// distances.
///
/// Numbers of a kind stand side by side, so that two are computed at once.
///
/// Sound: the pointers are valid only during the body of ``withRoom(_:)``, and every place is below
/// ``capacity``.
struct Candidates {
  /// Entries of a block.
  static let capacity = 32

  private let indexes: UnsafeMutablePointer<Int32>
  /// Differences of latitude, then squared chords.
  private let first: UnsafeMutablePointer<Double>
  /// Differences of longitude, then distances.
  private let second: UnsafeMutablePointer<Double>

  /// Calls `body` with room for a block.
  @inline(__always)
  static func withRoom(_ body: (Candidates) -> Void) {
    // 640 bytes: from 1024 on they would be allocated elsewhere.
    withUnsafeTemporaryAllocation(byteCount: capacity * (8 + 8 + 4), alignment: 16) { room in
      guard let base = room.baseAddress else { return }
      // Sound: the room holds 64 doubles and then 32 indexes, each aligned and bound once.
      let numbers = base.bindMemory(to: Double.self, capacity: 2 * capacity)
      // Initialised, so that computing with a partner that is none is allowed.
      numbers.initialize(repeating: 0, count: 2 * capacity)
      let indexes = (base + 16 * capacity).bindMemory(to: Int32.self, capacity: capacity)
      body(Candidates(indexes: indexes, first: numbers, second: numbers + capacity))
    }
  }

  /// Puts an entry at a place of the block, 0..<``capacity``.
  @inline(__always)
  func put(_ index: Int, _ difference: SIMD2<Double>, at place: Int) {
    indexes[place] = Int32(truncatingIfNeeded: index)
    first[place] = difference.x
    second[place] = difference.y
  }

  /// Makes distances of the differences of the first `count`.
  ///
  /// Sound: ``capacity`` is even, so the second of a pair lies in the block too.
  @inline(__always)
  func measure(_ count: Int, _ near: NearbyDistance) {
    for place in stride(from: 0, to: count, by: 2) {
      let squared = near.squaredChords(
        latitudes: SIMD2(first[place], first[place + 1]),
        longitudes: SIMD2(second[place], second[place + 1]))
      let meters = near.meters(squaredChords: squared)
      (first[place], first[place + 1]) = (squared.x, squared.y)
      (second[place], second[place + 1]) = (meters.x, meters.y)
    }
  }

  /// The index of an entry in its page.
  @inline(__always)
  func index(at place: Int) -> Int { Int(indexes[place]) }
  /// The squared chord to it in square meters.
  @inline(__always)
  func squaredChord(at place: Int) -> Double { first[place] }
  /// The distance to it in meters.
  @inline(__always)
  func meters(at place: Int) -> Double { second[place] }
}
