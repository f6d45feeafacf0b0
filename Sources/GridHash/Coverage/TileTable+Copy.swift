#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TileTable {
  /// Returns a table with the same bands and room for `more` bands, whose addition then allocates
  /// no memory and no slots.
  ///
  /// - Complexity: O(bands). Keys are hashed again only if more slots are needed.
  func copy(reserving more: Int = 0) -> TileTable {
    let other = TileTable()
    other.state.pointee.take(bandsOf: state.pointee, reserving: more)
    return other
  }
}

extension TileTable.State {
  /// Copies another table's bands into this one, which has none yet.
  ///
  /// Sound: this table is new, so its lists hold nothing; they are allocated again for `needed`
  /// bands before the other's `count` are copied.
  fileprivate mutating func take(bandsOf other: TileTable.State, reserving more: Int) {
    let needed = other.count + more
    if needed == 0 { return }
    makeBlock(chunks: TileTable.State.chunks(ofBands: needed))
    count = other.count
    for chunk in 0..<TileTable.State.chunks(ofBands: count) {
      let bands = min(count - chunk * TileTable.chunkLength, TileTable.chunkLength)
      chunks[chunk].initialize(from: other.chunks[chunk], count: bands * TileTable.rows)
    }
    keys.deallocate()
    keyCapacity = max(needed, 8)
    keys = .allocate(capacity: keyCapacity)
    keys.initialize(from: other.keys, count: count)
    let neededSlots = TileTable.State.slots(ofBands: needed)
    if other.slotCount < neededSlots {
      rehash(slotCount: neededSlots)
    } else {
      slots.deallocate()
      slotCount = other.slotCount
      slots = .allocate(capacity: slotCount)
      slots.initialize(from: other.slots, count: slotCount)
    }
  }

  /// Allocates this number of chunks in one block, in a table that has none.
  ///
  /// Sound: the block has room for `chunkCount` chunks of `wordsOfChunk` words and is bound once;
  /// `deinit` frees it as a whole.
  private mutating func makeBlock(chunks chunkCount: Int) {
    let wordsOfChunk = TileTable.chunkLength * TileTable.rows
    let memory = TileTable.State.allocateBlock(byteCount: chunkCount * wordsOfChunk * 8)
    let words = memory.bindMemory(to: UInt64.self, capacity: chunkCount * wordsOfChunk)
    block = memory
    blockChunks = chunkCount
    chunks.deallocate()
    chunks = .allocate(capacity: chunkCount)
    chunkCapacity = chunkCount
    for chunk in 0..<chunkCount { (chunks + chunk).initialize(to: words + chunk * wordsOfChunk) }
  }

  /// The size of a large page on x86-64 and, with pages of 4 KiB, on ARM: 2 MiB.
  private static let largePage = 1 << 21

  /// Allocates memory that a copy fills at once. With pages of 4 KiB, Linux would take longer to
  /// provide them one by one than the copying takes, so large pages are requested if at least two
  /// are filled. The request may be refused.
  ///
  /// Sound: `block` owns the memory, and `deinit` frees it; `deallocate` accepts any alignment.
  private static func allocateBlock(byteCount: Int) -> UnsafeMutableRawPointer {
    guard byteCount >= 2 * largePage else { return .allocate(byteCount: byteCount, alignment: 16) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: largePage)
    #if canImport(Glibc) || canImport(Musl)
      _ = madvise(memory, byteCount, MADV_HUGEPAGE)
    #endif
    return memory
  }
}
