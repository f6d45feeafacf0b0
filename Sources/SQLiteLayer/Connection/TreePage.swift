/// The bytes of a page of a database file.
struct PageBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func number16(at offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

  func number32(at offset: Int) -> UInt32 {
    UInt32(number16(at: offset)) << 16 | UInt32(number16(at: offset + 2))
  }

  /// SQLite's variable-length integer: seven bits a byte, the high ones first, all eight of the
  /// ninth. Nil where the page ends before it.
  func varint(at offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if place == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }
}

/// A page of a table or an index: what it refers to, and what of it nothing uses
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
struct TreePage {
  /// The pages below it.
  private(set) var children: [UInt32] = []
  /// Chains of overflow pages, each with the bytes that it has of a cell.
  private(set) var chains: [(first: UInt32, byteCount: Int)] = []
  /// Bytes that nothing uses.
  private(set) var unused: [Range<Int>] = []

  /// Kinds of pages, by the byte that they begin with.
  private enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
  }

  /// Looks at a page of which all bytes are SQLite's; nil where it is not as the format says.
  ///
  /// - Parameter headerStart: where its header begins: 100 on the first page of a file.
  /// - Complexity: O(cells log cells).
  init?(_ page: PageBytes, headerStart: Int) {
    guard let kind = Kind(rawValue: page.bytes[headerStart]) else { return nil }
    let arrayStart = headerStart + (kind.isLeaf ? 8 : 12)
    let count = page.number16(at: headerStart + 3)
    let arrayEnd = arrayStart + 2 * count
    // 0 means 65,536.
    let start = page.number16(at: headerStart + 5)
    let contentStart = start == 0 ? 65_536 : start
    guard arrayEnd <= contentStart, contentStart <= page.bytes.count else { return nil }
    if !kind.isLeaf { children.append(page.number32(at: headerStart + 8)) }
    var used: [Range<Int>] = []
    used.reserveCapacity(count)
    for index in 0..<count {
      let cell = page.number16(at: arrayStart + 2 * index)
      guard cell >= contentStart, let end = take(cell, of: kind, page) else { return nil }
      used.append(cell..<end)
    }
    // Freeblocks say in four bytes where the next one is, and how long they are.
    var (block, lowest) = (page.number16(at: headerStart + 1), contentStart)
    while block != 0 {
      guard block >= lowest, block + 4 <= page.bytes.count else { return nil }
      lowest = block + page.number16(at: block + 2)
      guard lowest >= block + 4, lowest <= page.bytes.count else { return nil }
      used.append(block..<block + 4)
      block = page.number16(at: block)
    }
    used.sort { $0.lowerBound < $1.lowerBound }
    var end = arrayEnd
    for range in used {
      guard range.lowerBound >= end else { return nil }
      if range.lowerBound > end { unused.append(end..<range.lowerBound) }
      end = range.upperBound
    }
    if end < page.bytes.count { unused.append(end..<page.bytes.count) }
  }

  /// Takes what a cell refers to; returns where it ends, nil where it is not as the format says.
  private mutating func take(_ cell: Int, of kind: Kind, _ page: PageBytes) -> Int? {
    let size = page.bytes.count
    var offset = cell
    if !kind.isLeaf {
      guard offset + 4 <= size else { return nil }
      children.append(page.number32(at: offset))
      offset += 4
    }
    if kind == .tableInterior { return page.varint(at: &offset) == nil ? nil : offset }
    guard let length = page.varint(at: &offset), length <= UInt64(Int32.max) else { return nil }
    if kind == .tableLeaf, page.varint(at: &offset) == nil { return nil }
    // The bytes of a cell on the page: all, or as many as leave its overflow pages full.
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
