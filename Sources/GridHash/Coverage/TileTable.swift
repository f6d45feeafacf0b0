/// The storage of a coverage's tiles: a hash table from keys to bands, and the bands themselves in
/// chunks that never move.
///
/// A band is 16 rows of 64 cells, a quarter of a tile. Only the bands that contain a cell are
/// stored. A band's key is four times the tile's key plus the band's number from the south. Whole
/// tiles would waste memory, since a track leaves most of a tile empty: a single straight track at
/// the equator would take 2.9 bytes a cell.
///
/// **Memory.** 128 bytes a band; 8 to 10 for its key, as the list of keys grows by a quarter; 5.3
/// to 6.7 for the slots of the table, which also grows by a quarter and is at most three quarters
/// full. Chunks hold 16 bands, so growth neither copies bits nor holds them twice. The chunks that
/// a copy begins with are one block. No band is empty: a band is added with its first cell.
///
/// Not `Sendable`. ``Coverage`` is, since it changes a table only as its sole owner.
///
/// Sound use of its memory: `init` allocates what `deinit` frees. Each list holds `count` elements
/// within its capacity. A slot holds 0 or the index of a band plus one, and at most three quarters
/// of the slots are in use, so every search ends at a free one.
final class TileTable {
  /// The words of one band.
  typealias Words = UnsafeMutablePointer<UInt64>
  /// The number of rows, and so of words, of a band: 16.
  static let rows = 1 << rowBits
  /// The number of bits for the number of a row in its band.
  static let rowBits = 4
  /// The number of bands of a tile.
  static let bands = 64 / rows
  /// The number of bits of a key for the number of a band in its tile.
  static let bandBits = 6 - rowBits
  /// The number of bands of a chunk.
  static let chunkLength = 16

  /// All mutable state, behind one pointer, so that access needs no exclusivity check.
  ///
  /// Sound: a copy of it is only read, and only while its table is alive and unchanged.
  struct State {
    /// The number of bands.
    var count = 0
    var chunks: UnsafeMutablePointer<Words>
    var chunkCapacity: Int
    /// The memory of the first ``blockChunks`` chunks; other chunks have their own.
    var block: UnsafeMutableRawPointer?
    var blockChunks = 0
    /// The keys of the bands.
    var keys: UnsafeMutablePointer<Int64>
    var keyCapacity: Int
    /// The index of a band plus 1, or 0 if the slot is free.
    var slots: UnsafeMutablePointer<UInt32>
    var slotCount: Int
    /// A cache of the bands last used while changing, by the low bits of their row and column, so
    /// that the four around a corner each have an entry.
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

  /// The number of allocated chunks.
  var chunkCount: Int { max(blockChunks, TileTable.State.chunks(ofBands: count)) }

  /// The number of chunks for a number of bands.
  static func chunks(ofBands count: Int) -> Int {
    (count + TileTable.chunkLength - 1) / TileTable.chunkLength
  }

  /// The memory of the bands, keys, slots and the list of chunks in bytes.
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

  /// The key of the band that contains a row of a tile, 0...63.
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

  /// Fibonacci hashing: multiplying spreads neighboring keys over 64 bits, which are then scaled to
  /// the number of slots.
  @inline(__always)
  private func slot(of key: Int64) -> Int {
    let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slotCount)).high)
  }

  /// The slot to try next if this one holds another key.
  @inline(__always)
  private func next(after slot: Int) -> Int { slot + 1 == slotCount ? 0 : slot + 1 }

  /// The words of a band; nil if the table does not have it.
  func find(_ key: Int64) -> Words? {
    let entry = entry(of: key)
    return entry == 0 ? nil : words(at: Int(entry) - 1)
  }

  /// The index of a band plus 1, or 0 if the table does not have it.
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

  /// The words of a band, which is added empty if the table does not have it. The caller must set a
  /// bit in it.
  mutating func findOrAdd(_ key: Int64) -> Words {
    if let words = find(key) { return words }
    return append(key: key, copying: nil)
  }

  /// ``findOrAdd(_:)`` with a cache for repeatedly used bands: the band that contains row `row` of
  /// the grid in a column of tiles.
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

  /// Copies the 64 rows of a tile, with empty rows for missing bands. Returns false if the table
  /// has no band of the tile.
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
  /// Adds the bands of a tile of which the table has none.
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

  /// Adds a band whose key the table does not have, either empty or with a copy of its words.
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

  /// Makes room in the table and the list of keys for `more` bands. It grows them by at least a
  /// quarter, so that the total time for many small requests stays proportional to the number of
  /// bands added.
  mutating func reserve(_ more: Int) {
    let needed = count + more
    if keyCapacity < needed { moveKeys(capacity: max(needed, keyCapacity + keyCapacity / 4)) }
    let neededSlots = TileTable.State.slots(ofBands: needed)
    if slotCount < neededSlots { rehash(slotCount: max(neededSlots, slotCount + slotCount / 4)) }
    checkAfterGrowing()
  }

  /// The number of slots of which `count` bands fill at most three quarters.
  static func slots(ofBands count: Int) -> Int { 4 * count / 3 + 1 }

  // Sound: if the list is full, all of it is initialized; the chunks themselves do not move.
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

  /// Enters all keys into `slotCount` slots.
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
