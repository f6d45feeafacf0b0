/// Where a coverage keeps its tiles: a hash table from key to band, and the bands themselves in
/// chunks that never move.
///
/// A band is 16 rows of 64 cells, a quarter of a tile; of a tile the bands that hold a cell are
/// kept. Its key is four times the tile's, and its number from the south. Not whole tiles, since a
/// track leaves most of a tile empty: one on its own, straight and at the equator, would take 2.9
/// bytes a cell with them.
///
/// **Memory.** 128 bytes a band; 8 to 10 for its key, as the list of keys grows by a quarter; 5.3
/// to 6.7 for the slots of the table, which grows likewise and is kept at most three quarters full.
/// Chunks hold 16 bands, so that growth never copies bits nor holds them twice; those that a copy
/// begins with are one block. None is empty: a band is added by the first cell in it.
///
/// Not `Sendable`. ``Coverage`` is, as it changes a table only while it is its one owner.
///
/// Sound use of its memory: `init` allocates what `deinit` frees. Each list holds `count` elements
/// within its capacity. A slot holds 0 or the index of a band plus one, and at most three quarters
/// of the slots are in use, so every search ends at a free one.
final class TileTable {
  /// Words of one band.
  typealias Words = UnsafeMutablePointer<UInt64>
  /// Rows, and so words, of a band: 16.
  static let rows = 1 << rowBits
  /// The number of a row in its band is in so many bits.
  static let rowBits = 4
  /// Bands of a tile.
  static let bands = 64 / rows
  /// The number of a band in its tile is in so many bits of its key.
  static let bandBits = 6 - rowBits
  /// Bands of a chunk.
  static let chunkLength = 16

  /// All that changes, behind one pointer: access costs no exclusivity check.
  ///
  /// Sound: a copy of it is only read, and only while its table is alive and unchanged.
  struct State {
    /// Bands.
    var count = 0
    var chunks: UnsafeMutablePointer<Words>
    var chunkCapacity: Int
    /// The memory of the first ``blockChunks`` chunks; the others have their own.
    var block: UnsafeMutableRawPointer?
    var blockChunks = 0
    /// Of bands.
    var keys: UnsafeMutablePointer<Int64>
    var keyCapacity: Int
    /// Index + 1 of a band, 0 where the slot is free.
    var slots: UnsafeMutablePointer<UInt32>
    var slotCount: Int
    /// The last bands that were asked for while changing, by the low bits of their row and column,
    /// so that the four around a corner have a place each.
    let recent: UnsafeMutablePointer<(key: Int64, words: Words?)>
  }

  // Sound: allocated in `init` and freed in `deinit`.
  let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 16)
    slots.initialize(repeating: 0, count: 16)
    let recent = UnsafeMutablePointer<(key: Int64, words: Words?)>.allocate(capacity: 4)
    recent.initialize(repeating: (-1, nil), count: 4)
    state.initialize(
      to: State(
        chunks: .allocate(capacity: 4), chunkCapacity: 4, keys: .allocate(capacity: 8),
        keyCapacity: 8,
        slots: slots, slotCount: 16, recent: recent))
  }

  deinit {
    for chunk in state.pointee.blockChunks..<state.pointee.chunkCount {
      state.pointee.chunks[chunk].deallocate()
    }
    state.pointee.block?.deallocate()
    state.pointee.chunks.deallocate()
    state.pointee.keys.deallocate()
    state.pointee.slots.deallocate()
    state.pointee.recent.deallocate()
    state.deallocate()
  }
}

// MARK: - Looking up

extension TileTable.State {
  typealias Words = TileTable.Words

  /// Chunks that are allocated.
  var chunkCount: Int { max(blockChunks, TileTable.State.chunks(ofBands: count)) }

  /// Chunks that so many bands take.
  static func chunks(ofBands count: Int) -> Int {
    (count + TileTable.chunkLength - 1) / TileTable.chunkLength
  }

  /// Bytes that bands, keys, slots and the list of chunks take.
  var memoryBytes: Int {
    chunkCount * TileTable.chunkLength * TileTable.rows * 8 + chunkCapacity * 8 + keyCapacity * 8
      + slotCount
      * 4
  }

  /// The words of the band with this index.
  ///
  /// Sound: `index` is below `count`, so its chunk is allocated, and chunks never move while the
  /// table is alive.
  @inline(__always)
  func words(at index: Int) -> Words { chunks[index >> 4] + (index & 15) << TileTable.rowBits }

  /// The key of the band that holds a row of a tile, 0...63.
  @inline(__always)
  static func key(ofTile tile: Int64, row: Int) -> Int64 {
    tile << Int64(TileTable.bandBits) | Int64(truncatingIfNeeded: (row & 63) >> TileTable.rowBits)
  }

  /// The key of a band of a tile.
  @inline(__always)
  static func key(ofTile tile: Int64, band: Int) -> Int64 {
    tile << Int64(TileTable.bandBits) | Int64(band)
  }

  /// The key of the tile of a band.
  @inline(__always)
  static func tile(ofBand key: Int64) -> Int64 { key >> Int64(TileTable.bandBits) }

  /// The first row of a band in its tile.
  @inline(__always)
  static func firstRow(ofBand key: Int64) -> Int {
    (Int(truncatingIfNeeded: key) & (TileTable.bands - 1)) << TileTable.rowBits
  }

  /// Fibonacci hashing: neighboring keys are spread over 64 bits, and those scaled to the slots.
  @inline(__always)
  private func slot(of key: Int64) -> Int {
    let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slotCount)).high)
  }

  /// The slot to look at when this one holds another key.
  @inline(__always)
  private func next(after slot: Int) -> Int { slot + 1 == slotCount ? 0 : slot + 1 }

  /// The words of a band, nil where the table has none.
  func find(_ key: Int64) -> Words? {
    let entry = entry(of: key)
    return entry == 0 ? nil : words(at: Int(entry) - 1)
  }

  /// Index + 1 of a band, 0 where the table has none.
  ///
  /// Sound: slots are numbered below `slotCount`, and the entry of one that is in use is the index
  /// of a band plus one.
  @inline(__always)
  func entry(of key: Int64) -> UInt32 {
    var slot = slot(of: key)
    while true {
      let entry = slots[slot]
      if entry == 0 || keys[Int(entry) - 1] == key { return entry }
      slot = next(after: slot)
    }
  }

  /// The words of a band, added empty where the table had none. The caller sets a bit in it.
  mutating func findOrAdd(_ key: Int64) -> Words {
    if let words = find(key) { return words }
    return append(key: key, copying: nil)
  }

  /// ``findOrAdd(_:)`` for bands that are asked for again and again: the one that holds row `row`
  /// of the grid in a column of tiles.
  @inline(__always)
  mutating func recent(row: Int, tileColumn: Int, tileColumnCount: Int) -> Words {
    let key = TileTable.State.key(
      ofTile: Int64((row >> 6) &* tileColumnCount &+ tileColumn), row: row)
    // Sound: two bits choose one of the four entries. The pointer in it stays valid: bands never
    // move, and a copy of a table has entries of its own.
    let entry = recent + ((row >> (TileTable.rowBits - 1) & 2) | (tileColumn & 1))
    if entry.pointee.key == key, let words = entry.pointee.words { return words }
    let words = findOrAdd(key)
    entry.pointee = (key, words)
    return words
  }

  /// Copies the 64 rows of a tile, empty where the table has none; false where it has nothing of
  /// it.
  ///
  /// Sound: `rows` points to 64 initialized words, `bands` times `rows` of them.
  func copyTile(_ tile: Int64, into rows: UnsafeMutablePointer<UInt64>) -> Bool {
    var isThere = false
    for band in 0..<TileTable.bands {
      let target = rows + band * TileTable.rows
      if let words = find(TileTable.State.key(ofTile: tile, band: band)) {
        target.update(from: words, count: TileTable.rows)
        isThere = true
      } else {
        target.update(repeating: 0, count: TileTable.rows)
      }
    }
    return isThere
  }
}

// MARK: - Growing

extension TileTable.State {
  /// Adds the bands of a tile of which the table has nothing.
  ///
  /// Sound: `rows` points to 64 words, `bands` times `rows` of them.
  mutating func append(tile: Int64, copying rows: UnsafePointer<UInt64>) {
    for band in 0..<TileTable.bands {
      let source = rows + band * TileTable.rows
      if (0..<TileTable.rows).contains(where: { source[$0] != 0 }) {
        append(key: TileTable.State.key(ofTile: tile, band: band), copying: source)
      }
    }
  }

  /// Adds a band whose key the table does not have, with a copy of its words or empty.
  ///
  /// Sound: there is room in the slots, the keys and the last chunk before the band is added.
  /// `source` points to `rows` words.
  @discardableResult
  mutating func append(key: Int64, copying source: UnsafePointer<UInt64>?) -> Words {
    if 4 * (count + 1) > 3 * slotCount {
      rehash(slotCount: slotCount + slotCount / 4)
      checkAfterGrowing()
    }
    if count == keyCapacity { moveKeys(capacity: keyCapacity + keyCapacity / 4) }
    let index = count
    if index == chunkCount * TileTable.chunkLength { addChunk(chunkCount) }
    count += 1
    keys[index] = key
    let words = words(at: index)
    if let source {
      words.initialize(from: source, count: TileTable.rows)
    } else {
      words.initialize(repeating: 0, count: TileTable.rows)
    }
    enter(index)
    return words
  }

  /// Makes room in the table and the list of keys for so many more bands: once, and by a quarter at
  /// least, so that making room again and again for a few takes no more time than adding them.
  mutating func reserve(_ more: Int) {
    let needed = count + more
    if keyCapacity < needed { moveKeys(capacity: max(needed, keyCapacity + keyCapacity / 4)) }
    let neededSlots = TileTable.State.slots(ofBands: needed)
    if slotCount < neededSlots { rehash(slotCount: max(neededSlots, slotCount + slotCount / 4)) }
    checkAfterGrowing()
  }

  /// Slots of which so many bands fill at most three quarters.
  static func slots(ofBands count: Int) -> Int { 4 * count / 3 + 1 }

  // Sound: where the list is full, all of it is initialized; the chunks themselves do not move.
  private mutating func addChunk(_ chunk: Int) {
    if chunk == chunkCapacity {
      let larger = UnsafeMutablePointer<Words>.allocate(capacity: 2 * chunkCapacity)
      larger.moveInitialize(from: chunks, count: chunkCapacity)
      chunks.deallocate()
      chunks = larger
      chunkCapacity *= 2
    }
    (chunks + chunk).initialize(to: .allocate(capacity: TileTable.chunkLength * TileTable.rows))
  }

  // Sound: `count` keys are initialized, and `capacity` is not below that.
  private mutating func moveKeys(capacity: Int) {
    let larger = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
    larger.moveInitialize(from: keys, count: count)
    keys.deallocate()
    keys = larger
    keyCapacity = capacity
  }

  /// Enters all keys into so many slots.
  ///
  /// Sound: there are more slots than bands, so each band finds a free one.
  mutating func rehash(slotCount: Int) {
    slots.deallocate()
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    self.slotCount = slotCount
    for index in 0..<count { enter(index) }
  }

  private mutating func enter(_ index: Int) {
    var slot = slot(of: keys[index])
    while slots[slot] != 0 { slot = next(after: slot) }
    slots[slot] = UInt32(index + 1)
  }
}
