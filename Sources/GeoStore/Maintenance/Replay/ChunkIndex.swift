import Geodesy

/// An index of the chunks of kept fixes by the blocks in which they have fixes.
///
/// A chunk is first known only by its latitudes; its blocks follow when a search comes near it
/// (``unindexedChunks(near:)``).
///
/// It takes 40 bytes for each chunk, 8 for each chunk in a block, 24 to 48 for each block, and
/// about as much for each source.
struct ChunkIndex {
  /// A chunk of kept fixes.
  struct Chunk {
    /// Its row in `kept_fixes`.
    let id: Int64
    /// The number of its source.
    let source: Int64
    /// The rows of blocks from its southernmost fix to its northernmost one.
    fileprivate let rows: ClosedRange<Int64>
    /// The index of the next chunk of its source; negative if it has none.
    fileprivate var following: Int32 = -1
    /// Whether its blocks are in the index.
    fileprivate(set) var isIndexed = false
  }

  private let grid: BlockGrid
  /// The chunks, in the order of import.
  private(set) var chunks: [Chunk] = []
  /// For each block, the entry added last.
  private var lastEntry = NumberTable()
  private var entries: [Entry] = []
  /// For each source, the index of its last chunk.
  private var lastChunk: [Int64: Int32] = [:]

  /// A chunk that has fixes in a block, and the index of the entry before it; negative if there is
  /// none.
  private struct Entry {
    let chunk: Int32
    let next: Int32
  }

  /// Creates an empty index for the blocks of a grid.
  init(grid: BlockGrid) { self.grid = grid }

  /// Adds a chunk, the next in the order of import.
  ///
  /// - Parameter latitudesE7: the latitudes of its fixes, in units of 1e-7 degree.
  mutating func add(_ id: Int64, source: Int64, latitudesE7: ClosedRange<Int32>) {
    let index = Int32(chunks.count)
    if let last = lastChunk.updateValue(index, forKey: source) {
      chunks[Int(last)].following = index
    }
    chunks.append(Chunk(id: id, source: source, rows: grid.rows(latitudesE7)))
  }

  /// Returns the index of the next chunk of the same source; nil for the last one.
  func chunk(following index: Int) -> Int? {
    chunks[index].following < 0 ? nil : Int(chunks[index].following)
  }

  /// Returns the indexes of the chunks without blocks whose latitudes may lie in some blocks,
  /// ascending.
  ///
  /// - Complexity: O(chunks × log blocks).
  func unindexedChunks(near blocks: [Int64]) -> [Int] {
    let rows = Set(blocks.map(grid.row(ofKey:))).sorted()
    return chunks.indices.filter { index in
      guard !chunks[index].isIndexed else { return false }
      let first = rows.partitioningIndex { $0 >= chunks[index].rows.lowerBound }
      return first < rows.count && rows[first] <= chunks[index].rows.upperBound
    }
  }

  /// Adds the blocks in which a chunk has fixes.
  mutating func addBlocks(ofChunk index: Int, positions: [Coordinate]) {
    let chunk = Int32(index)
    chunks[index].isIndexed = true
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
