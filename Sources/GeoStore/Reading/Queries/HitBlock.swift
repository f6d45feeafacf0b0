import Geodesy

/// Room for the hits among some adjacent entries of a cached tile, one block at a time.
///
/// Sound: the pointers are valid only during the body of ``withRoom(forRadiusMeters:_:)``, and
/// every index is below ``capacity``.
struct HitBlock: ~Copyable {
  /// Maximum number of entries that are measured at once: a multiple of four, at most 256.
  let capacity: Int

  private let room: UnsafeMutablePointer<RegionHit>
  /// Where each hit is among the entries of the block.
  private let places: UnsafeMutablePointer<UInt8>
  /// The index in the tile of the block's first entry.
  private var first = 0
  private var count = 0

  /// Passes an empty block to `body`: of 40 entries, or of 128 for a search of more than 1 km,
  /// whose runs are longer.
  @inline(__always)
  static func withRoom(forRadiusMeters meters: Double, _ body: (inout HitBlock) -> Void) {
    let stride = MemoryLayout<RegionHit>.stride
    // 40 hits of 24 bytes and 40 bytes are 1,000 bytes. Above 1,024, the memory might not be on the
    // stack.
    let capacity = meters > 1_000 ? 128 : 40
    withUnsafeTemporaryAllocation(byteCount: capacity * (stride + 1), alignment: 16) { room in
      guard let base = room.baseAddress else { return }
      // Sound: the memory holds the hits, followed by a byte for each. A hit has nothing to
      // release.
      var block = HitBlock(
        capacity: capacity, room: base.bindMemory(to: RegionHit.self, capacity: capacity),
        places: (base + stride * capacity).bindMemory(to: UInt8.self, capacity: capacity))
      body(&block)
    }
  }

  private init(
    capacity: Int, room: UnsafeMutablePointer<RegionHit>, places: UnsafeMutablePointer<UInt8>
  ) {
    assert(capacity % 4 == 0 && capacity <= 256)
    self.capacity = capacity
    self.room = room
    self.places = places
  }

  /// The hits in the order of the tile, until the block is filled again.
  @inline(__always)
  var hits: UnsafeBufferPointer<RegionHit> { UnsafeBufferPointer(start: room, count: count) }

  /// The index in the tile of the hit at an index of ``hits``.
  @inline(__always)
  func tileIndex(of index: Int) -> Int {
    assert(index < count)
    return first + Int(places[index])
  }

  /// Replaces the hits by those among `count` entries from `entries[first]` on, at most
  /// ``capacity``. The distance of those near the rim is `exactMeters`, and they are hits unless
  /// that is nil.
  ///
  /// Sound: a hit is an entry followed by its distance, and an entry 16 bytes that begin with its
  /// latitude and longitude (`CachedTileTests` checks both).
  @inline(__always)
  mutating func fill(
    from entries: UnsafePointer<CachedTile.Entry>, first: Int, count: Int,
    _ series: UnsafePointer<NearbySeries>, _ limits: ChordLimits,
    exactMeters: (Coordinate) -> Double?
  ) {
    assert(count <= capacity)
    self.first = first
    let found = NearbySeries.find(
      series, limits, UnsafeRawPointer(entries + first), count: count,
      hits: UnsafeMutableRawPointer(room), places: places)
    self.count = found.count
    // Rare: an entry within a millimeter of the rim.
    if found.undecided > 0 { decide(exactMeters) }
  }

  private mutating func decide(_ exactMeters: (Coordinate) -> Double?) {
    let found = count
    count = 0
    for index in 0..<found {
      let hit = room[index]
      guard hit.distanceMeters.isNaN else {
        keep(hit, at: places[index])
        continue
      }
      guard let meters = exactMeters(hit.coordinate) else { continue }
      keep(
        RegionHit(id: hit.id, coordinate: hit.coordinate, distanceMeters: meters),
        at: places[index])
    }
  }

  /// Replaces the hits by those of `count` entries from `entries[first]` on, at most ``capacity``,
  /// of which `exactMeters` is not nil.
  mutating func fill(
    from entries: UnsafePointer<CachedTile.Entry>, first: Int, count: Int,
    exactMeters: (Coordinate) -> Double?
  ) {
    assert(count <= capacity)
    self.first = first
    self.count = 0
    for place in 0..<count {
      let entry = entries[first + place]
      guard let meters = exactMeters(entry.coordinate) else { continue }
      keep(
        RegionHit(id: entry.id, coordinate: entry.coordinate, distanceMeters: meters),
        at: UInt8(truncatingIfNeeded: place))
    }
  }

  /// Sound: no more hits are kept than there were entries, and a hit is kept at or before where it
  /// was.
  private mutating func keep(_ hit: RegionHit, at place: UInt8) {
    (room + count).initialize(to: hit)
    places[count] = place
    count += 1
  }
}
