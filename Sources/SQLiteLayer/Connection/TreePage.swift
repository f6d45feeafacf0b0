/// A page of a table or an index: the pages that it references, and its unused bytes
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages). Reading the next page reuses the memory.
struct TreePage {
  /// The child pages.
  private(set) var children: [UInt32] = []
  /// Chains of overflow pages, each with the number of a cell's bytes in it.
  private(set) var chains: [(first: UInt32, byteCount: Int)] = []
  /// Ranges of unused bytes.
  private(set) var unused: [Range<Int>] = []
  /// Ranges of used bytes, each as its lower bound times 2^32 plus its upper bound.
  private var used: [Int] = []

  /// Kinds of pages, by their first byte.
  private enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
  }

  /// Parses a page all of whose bytes belong to SQLite; returns false if it does not follow the
  /// format.
  ///
  /// - Parameter headerStart: the offset of its header: 100 on the first page of a file.
  /// - Complexity: O(cells log cells), O(cells) if they are in order.
  mutating func read(_ page: PageBytes, headerStart: Int) -> Bool {
    page.withView { read($0, headerStart: headerStart) }
  }

  private mutating func read(_ page: PageView, headerStart: Int) -> Bool {
    children.removeAll(keepingCapacity: true)
    chains.removeAll(keepingCapacity: true)
    unused.removeAll(keepingCapacity: true)
    used.removeAll(keepingCapacity: true)
    guard let kind = Kind(rawValue: page[headerStart]) else { return false }
    let arrayStart = headerStart + (kind.isLeaf ? 8 : 12)
    let count = page.number16(at: headerStart + 3)
    let arrayEnd = arrayStart + 2 * count
    // 0 means 65,536.
    let start = page.number16(at: headerStart + 5)
    let contentStart = start == 0 ? 65_536 : start
    guard arrayEnd <= contentStart, contentStart <= page.count else { return false }
    if !kind.isLeaf { children.append(page.number32(at: headerStart + 8)) }
    for index in 0..<count {
      let cell = page.number16(at: arrayStart + 2 * index)
      guard cell >= contentStart, let end = take(cell, of: kind, page) else { return false }
      used.append(cell << 32 | end)
    }
    // The first four bytes of a freeblock have the offset of the next one and its own length.
    var (block, lowest) = (page.number16(at: headerStart + 1), contentStart)
    while block != 0 {
      guard block >= lowest, block + 4 <= page.count else { return false }
      lowest = block + page.number16(at: block + 2)
      guard lowest >= block + 4, lowest <= page.count else { return false }
      used.append(block << 32 | (block + 4))
      block = page.number16(at: block)
    }
    // SQLite fills a page from its end.
    if zip(used, used.dropFirst()).allSatisfy({ $0 > $1 }) {
      used.reverse()
    } else {
      used.sort { $0 < $1 }  // with `sort()`, each comparison is a call
    }
    var end = arrayEnd
    for range in used {
      let lowerBound = range >> 32
      guard lowerBound >= end else { return false }
      if lowerBound > end { unused.append(end..<lowerBound) }
      end = range & 0xFFFF_FFFF
    }
    if end < page.count { unused.append(end..<page.count) }
    return true
  }

  /// Adds what a cell references. Returns the end of the cell; nil if it does not follow the
  /// format.
  @inline(__always)
  private mutating func take(_ cell: Int, of kind: Kind, _ page: PageView) -> Int? {
    let size = page.count
    var offset = cell
    if !kind.isLeaf {
      guard offset + 4 <= size else { return nil }
      children.append(page.number32(at: offset))
      offset += 4
    }
    if kind == .tableInterior { return page.varint(at: &offset) == nil ? nil : offset }
    guard let length = page.varint(at: &offset), length <= UInt64(Int32.max) else { return nil }
    if kind == .tableLeaf, page.varint(at: &offset) == nil { return nil }
    // The bytes of a cell on the page: all of them, or as many as leave its overflow pages full.
    let longest = kind == .tableLeaf ? size - 35 : (size - 12) * 64 / 255 - 23
    if length <= UInt64(longest) {
      let end = offset + Int(length)
      return end <= size ? end : nil
    }
    let shortest = (size - 12) * 32 / 255 - 23
    let fitting = shortest + (Int(length) - shortest) % (size - 4)
    let local = fitting <= longest ? fitting : shortest
    guard offset + local + 4 <= size else { return nil }
    chains.append((page.number32(at: offset + local), Int(length) - local))
    return offset + local + 4
  }
}
