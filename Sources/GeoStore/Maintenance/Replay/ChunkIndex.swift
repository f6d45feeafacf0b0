import Geodesy

/// An index of the chunks of kept fixes by the blocks in which they have fixes.
///
/// It takes 8 bytes for each chunk in a block, and 24 to 48 for each block.
struct ChunkIndex {
  private let grid: BlockGrid
  /// The chunks, in the order of import.
  private(set) var chunks: [(id: Int64, source: Int64)] = []
  /// For each block, the entry added last.
  private var lastEntry = NumberTable()
  private var entries: [Entry] = []

  /// A chunk that has fixes in a block, and the index of the entry before it; negative if there is
  /// none.
  private struct Entry {
    let chunk: Int32
    let next: Int32
  }

  /// Creates an empty index for the blocks of a grid.
  init(grid: BlockGrid) { self.grid = grid }

  /// Adds a chunk, the next in the order of import.
  mutating func add(_ id: Int64, source: Int64, positions: [Coordinate]) {
    let chunk = Int32(chunks.count)
    chunks.append((id, source))
    var last: Int64 = -1
    for position in positions {
      let block = grid.key(of: position)
      if block == last { continue }
      last = block
      let next = lastEntry[block] ?? -1
      if next >= 0, entries[Int(next)].chunk == chunk { continue }
      lastEntry.replace(block, with: Int32(entries.count))
      entries.append(Entry(chunk: chunk, next: next))
    }
  }

  /// Returns the indexes of the chunks that have fixes in some blocks, ascending.
  func chunks(inBlocks blocks: [Int64]) -> [Int] {
    var found: Set<Int> = []
    for block in blocks {
      var entry = lastEntry[block] ?? -1
      while entry >= 0 {
        found.insert(Int(entries[Int(entry)].chunk))
        entry = entries[Int(entry)].next
      }
    }
    return found.sorted()
  }
}
