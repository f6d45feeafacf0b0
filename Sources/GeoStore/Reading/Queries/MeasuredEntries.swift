import Geodesy

/// Some adjacent entries of a cached tile and their distances from a center, one block at a time on
/// the stack.
///
/// Sound: the pointers are valid only during the body of ``withRoom(_:)``, and every index is below
/// ``capacity``.
struct MeasuredEntries {
  /// Maximum number of entries in a block: a multiple of four.
  static let capacity = 32

  private let series: UnsafePointer<NearbySeries>
  private let squaredChords: UnsafeMutablePointer<Double>
  private let distances: UnsafeMutablePointer<Double>
  /// The indexes of selected entries in the block.
  private let selected: UnsafeMutablePointer<UInt8>

  /// Passes an empty block for distances of a series to `body`.
  @inline(__always)
  static func withRoom(for series: NearbySeries, _ body: (MeasuredEntries) -> Void) {
    // 544 bytes: above 1,024 bytes, the memory might not be on the stack.
    withUnsafeTemporaryAllocation(byteCount: capacity * (8 + 8 + 1), alignment: 16) { room in
      guard let base = room.baseAddress else { return }
      // Sound: the memory holds 64 doubles followed by 32 bytes, each aligned and bound once.
      let numbers = base.bindMemory(to: Double.self, capacity: 2 * capacity)
      let bytes = (base + 16 * capacity).bindMemory(to: UInt8.self, capacity: capacity)
      withUnsafePointer(to: series) { series in
        body(
          MeasuredEntries(
            series: series, squaredChords: numbers, distances: numbers + capacity, selected: bytes))
      }
    }
  }

  /// Measures `count` entries, at most ``capacity``, and returns the largest squared chord.
  ///
  /// Sound: an entry is 16 bytes, of which the first are its latitude and longitude
  /// (`CachedTileTests` checks it).
  @inline(__always)
  func measure(_ entries: UnsafePointer<CachedTile.Entry>, count: Int) -> Double {
    UnsafeRawPointer(entries).withMemoryRebound(to: Int32.self, capacity: 4 * count) { positions in
      NearbySeries.measure(
        series, positions, count: count, squaredChords: squaredChords, meters: distances)
    }
  }

  /// Selects those of the first `count` entries whose squared chords are at most `limit`, and
  /// returns their number.
  @inline(__always)
  func select(of count: Int, squaredChordAtMost limit: Double) -> Int {
    var found = 0
    for place in 0..<count {
      selected[found] = UInt8(truncatingIfNeeded: place)
      // Branch-free: the processor would mispredict a branch about half the time.
      found &+= squaredChords[place] <= limit ? 1 : 0
    }
    return found
  }

  /// The index in the block of a selected entry.
  @inline(__always)
  func selected(at index: Int) -> Int { Int(selected[index]) }
  /// The squared chord to an entry, in square meters.
  @inline(__always)
  func squaredChord(at place: Int) -> Double { squaredChords[place] }
  /// The distance to an entry, in meters.
  @inline(__always)
  func meters(at place: Int) -> Double { distances[place] }
}
