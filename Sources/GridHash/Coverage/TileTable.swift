/// Where a coverage keeps its tiles: a hash table from key to tile, and the tiles themselves in chunks that
/// never move.
///
/// **Memory.** 512 bytes a tile; 8 for its key (twice that at most, while the list of keys grows by doubling);
/// 8 to 16 for the slots of the table, which is kept at most half full. Chunks hold 64 tiles, so that growth
/// never copies bits nor holds them twice. No tile is empty: a tile is added by the first cell in it.
///
/// Not `Sendable`. ``Coverage`` is, as it changes a table only while it is its one owner.
final class TileTable {
  /// Words of one tile.
  typealias Words = UnsafeMutablePointer<UInt64>

  /// All that changes, behind one pointer: access costs no exclusivity check.
  struct State {
    var tileCount = 0
    var chunks: UnsafeMutablePointer<Words>
    var chunkCapacity: Int
    var keys: UnsafeMutablePointer<Int64>
    var keyCapacity: Int
    /// Index + 1 of a tile, 0 where the slot is free.
    var slots: UnsafeMutablePointer<UInt32>
    /// 64 - log2(slots).
    var slotShift: UInt64
    /// The last tiles that were asked for while changing, by the low bits of tile row and column, so that
    /// the four tiles around a corner have a place each.
    let recent: UnsafeMutablePointer<(key: Int64, words: Words?)>
  }

  let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 16)
    slots.initialize(repeating: 0, count: 16)
    let recent = UnsafeMutablePointer<(key: Int64, words: Words?)>.allocate(capacity: 4)
    recent.initialize(repeating: (-1, nil), count: 4)
    state.initialize(
      to: State(
        chunks: .allocate(capacity: 4), chunkCapacity: 4, keys: .allocate(capacity: 8), keyCapacity: 8,
        slots: slots, slotShift: 60, recent: recent))
  }

  deinit {
    for chunk in 0..<(state.pointee.tileCount + 63) / 64 { state.pointee.chunks[chunk].deallocate() }
    state.pointee.chunks.deallocate()
    state.pointee.keys.deallocate()
    state.pointee.slots.deallocate()
    state.pointee.recent.deallocate()
    state.deallocate()
  }

  /// A table with the same tiles.
  func copy() -> TileTable {
    let other = TileTable()
    other.state.pointee.reserve(state.pointee.tileCount)
    for index in 0..<state.pointee.tileCount {
      other.state.pointee.append(key: state.pointee.keys[index], copying: state.pointee.words(at: index))
    }
    return other
  }
}

// MARK: - Looking up

extension TileTable.State {
  typealias Words = TileTable.Words

  private var slotCount: Int { 1 << (64 - slotShift) }

  /// The words of the tile with this index.
  @inline(__always)
  func words(at index: Int) -> Words { chunks[index >> 6] + (index & 63) << 6 }

  /// Fibonacci hashing: neighbouring keys are spread over the table.
  @inline(__always)
  private func slot(of key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> slotShift)
  }

  /// The words of a tile, nil where the table has none.
  func find(_ key: Int64) -> Words? {
    var slot = slot(of: key)
    while true {
      let entry = slots[slot]
      if entry == 0 { return nil }
      if keys[Int(entry) - 1] == key { return words(at: Int(entry) - 1) }
      slot = (slot + 1) & (slotCount - 1)
    }
  }

  /// The words of a tile, added empty where the table had none. The caller sets a bit in it.
  mutating func findOrAdd(_ key: Int64) -> Words {
    if let words = find(key) { return words }
    return append(key: key, copying: nil)
  }

  /// ``findOrAdd(_:)`` for tiles that are asked for again and again.
  @inline(__always)
  mutating func recent(tileRow: Int, tileColumn: Int, tileColumnCount: Int) -> Words {
    let key = Int64(tileRow &* tileColumnCount &+ tileColumn)
    let entry = recent + ((tileRow & 1) << 1 | (tileColumn & 1))
    if entry.pointee.key == key, let words = entry.pointee.words { return words }
    let words = findOrAdd(key)
    entry.pointee = (key, words)
    return words
  }
}

// MARK: - Growing

extension TileTable.State {
  /// Adds a tile whose key the table does not have, with a copy of 64 words or empty.
  @discardableResult
  mutating func append(key: Int64, copying source: UnsafePointer<UInt64>?) -> Words {
    if 2 * (tileCount + 1) > slotCount { rehash(slotCount: 2 * slotCount) }
    if tileCount == keyCapacity { moveKeys(capacity: 2 * keyCapacity) }
    let index = tileCount
    if index & 63 == 0 { addChunk(index >> 6) }
    tileCount += 1
    keys[index] = key
    let words = words(at: index)
    if let source {
      words.initialize(from: source, count: 64)
    } else {
      words.initialize(repeating: 0, count: 64)
    }
    enter(index)
    return words
  }

  /// Makes room in the table and the list of keys for `tileCount` tiles.
  mutating func reserve(_ tileCount: Int) {
    if keyCapacity < tileCount { moveKeys(capacity: tileCount) }
    var wanted = slotCount
    while wanted < 2 * tileCount { wanted *= 2 }
    if wanted > slotCount { rehash(slotCount: wanted) }
  }

  private mutating func addChunk(_ chunk: Int) {
    if chunk == chunkCapacity {
      let larger = UnsafeMutablePointer<Words>.allocate(capacity: 2 * chunkCapacity)
      larger.moveInitialize(from: chunks, count: chunkCapacity)
      chunks.deallocate()
      chunks = larger
      chunkCapacity *= 2
    }
    (chunks + chunk).initialize(to: .allocate(capacity: 64 * 64))
  }

  private mutating func moveKeys(capacity: Int) {
    let larger = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
    larger.moveInitialize(from: keys, count: tileCount)
    keys.deallocate()
    keys = larger
    keyCapacity = capacity
  }

  private mutating func rehash(slotCount: Int) {
    slots.deallocate()
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    slotShift = UInt64(64 - slotCount.trailingZeroBitCount)
    for index in 0..<tileCount { enter(index) }
  }

  private mutating func enter(_ index: Int) {
    var slot = slot(of: keys[index])
    while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
    slots[slot] = UInt32(index + 1)
  }
}
