import Geodesy

/// Entries of a cached tile that may be within a radius, one block at a time on the stack: their
/// indexes and, after ``measure(_:_:)``, their squared chords and distances from the center.
///
/// Values of one kind are adjacent, so that two are computed at once.
///
/// Sound: the pointers are valid only during the body of ``withRoom(_:)``, and every index is below
/// ``capacity``.
struct Candidates {
  /// Number of entries in a block.
  static let capacity = 32

  private let indexes: UnsafeMutablePointer<Int32>
  /// Differences of latitude, then squared chords.
  private let first: UnsafeMutablePointer<Double>
  /// Differences of longitude, then distances.
  private let second: UnsafeMutablePointer<Double>

  /// Calls `body` with memory for one block.
  @inline(__always)
  static func withRoom(_ body: (Candidates) -> Void) {
    // 640 bytes: from 1024 bytes on, the memory would not be on the stack.
    withUnsafeTemporaryAllocation(byteCount: capacity * (8 + 8 + 4), alignment: 16) { room in
      guard let base = room.baseAddress else { return }
      // Sound: the memory holds 64 doubles followed by 32 indexes, each aligned and bound once.
      let numbers = base.bindMemory(to: Double.self, capacity: 2 * capacity)
      // Initialized, so that the unused second half of a pair can be computed too.
      numbers.initialize(repeating: 0, count: 2 * capacity)
      let indexes = (base + 16 * capacity).bindMemory(to: Int32.self, capacity: capacity)
      body(Candidates(indexes: indexes, first: numbers, second: numbers + capacity))
    }
  }

  /// Stores an entry at an index of the block, 0..<``capacity``.
  @inline(__always)
  func put(_ index: Int, _ difference: SIMD2<Double>, at place: Int) {
    indexes[place] = Int32(truncatingIfNeeded: index)
    first[place] = difference.x
    second[place] = difference.y
  }

  /// Computes squared chords and distances from the differences of the first `count` entries.
  ///
  /// Sound: ``capacity`` is even, so the second element of a pair is in the block too.
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

  /// The index of the entry in its tile.
  @inline(__always)
  func index(at place: Int) -> Int { Int(indexes[place]) }
  /// The squared chord to the entry, in square meters.
  @inline(__always)
  func squaredChord(at place: Int) -> Double { first[place] }
  /// The distance to the entry, in meters.
  @inline(__always)
  func meters(at place: Int) -> Double { second[place] }
}
