/// Walks through the pages of a database file and clears the bytes that nothing uses.
///
/// The format is that of https://www.sqlite.org/fileformat2.html. A page of a table or an index has,
/// after its header, an array of places of its cells; the cells stand at its end. Between the two,
/// and in blocks that the header's list names, are bytes that nothing uses. What does not fit on the
/// page stands in a chain of overflow pages, of which the last may have unused bytes. Pages that
/// nothing uses are in the list of free ones.
struct PageClearing {
  private let connection: Connection
  private let pageSize: Int
  /// Bytes of a page that SQLite uses.
  private let usableSize: Int
  private let pageCount: Int
  /// Whether a page was seen: a damaged file might lead to it again.
  private var isSeen: [Bool]

  /// Reads what the first page says.
  init(_ connection: Connection) throws(DatabaseError) {
    self.connection = connection
    let header = try connection.fileBytes(at: 0, count: 100)
    let size = header.count == 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
    pageSize = size == 1 ? 65_536 : size
    usableSize = pageSize - (header.count == 100 ? Int(header[20]) : 0)
    pageCount = pageSize > 0 ? Int(try connection.fileSize()) / pageSize : 0
    isSeen = Array(repeating: false, count: pageCount + 1)
  }

  /// Clears the pages of trees that begin at some pages, and those that nothing uses. The first page
  /// of the file is left as it is: it has the texts of the schema.
  ///
  /// - Returns: false where the file is not as the format says.
  mutating func clear(roots: [UInt32]) throws(DatabaseError) -> Bool {
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else { return false }
    var open = roots
    while let number = open.popLast() {
      guard let page = try page(number) else { return false }
      guard try clearTreePage(page, number, &open) else { return false }
    }
    return try clearFreePages()
  }

  /// A page that was not seen before; nil if there is none of that number.
  private mutating func page(_ number: UInt32) throws(DatabaseError) -> PageBytes? {
    guard number > 0, number <= pageCount, !isSeen[Int(number)] else { return nil }
    isSeen[Int(number)] = true
    let bytes = try connection.fileBytes(
      at: Int64(number - 1) * Int64(pageSize), count: pageSize)
    return bytes.count == pageSize ? PageBytes(bytes) : nil
  }

  /// Writes zeros over a part of a page, if it has anything else.
  private func clear(
    _ range: Range<Int>, of page: PageBytes, _ number: UInt32
  ) throws(DatabaseError) {
    guard page.bytes[range].contains(where: { $0 != 0 }) else { return }
    try connection.writeFile(
      [UInt8](repeating: 0, count: range.count),
      at: Int64(number - 1) * Int64(pageSize) + Int64(range.lowerBound))
  }

  // MARK: - Trees

  private mutating func clearTreePage(
    _ page: PageBytes, _ number: UInt32, _ open: inout [UInt32]
  ) throws(DatabaseError) -> Bool {
    guard let kind = TreePage(page, usableSize: usableSize) else { return false }
    for cell in kind.cells {
      guard let content = kind.content(ofCell: cell, page),
        !kind.unused.contains(where: { $0.overlaps(cell..<content.end) })
      else { return false }
      if let child = content.child { open.append(child) }
      guard let overflow = content.overflow else { continue }
      guard try clearChain(overflow.first, byteCount: overflow.byteCount) else { return false }
    }
    if let child = kind.lastChild { open.append(child) }
    for range in kind.unused { try clear(range, of: page, number) }
    return true
  }

  /// Clears what the last page of a chain does not use.
  private mutating func clearChain(
    _ first: UInt32, byteCount: Int
  ) throws(DatabaseError) -> Bool {
    var (number, left) = (first, byteCount)
    while left > 0 {
      guard let page = try page(number) else { return false }
      let used = min(left, usableSize - 4)
      left -= used
      if left == 0 { try clear(4 + used..<pageSize, of: page, number) }
      number = page.number32(at: 0)
    }
    return true
  }

  // MARK: - Free pages

  private mutating func clearFreePages() throws(DatabaseError) -> Bool {
    let header = PageBytes(try connection.fileBytes(at: 0, count: 100))
    var trunk = header.number32(at: 32)
    while trunk != 0 {
      guard let page = try page(trunk) else { return false }
      let count = Int(page.number32(at: 4))
      guard count <= usableSize / 4 - 2 else { return false }
      for index in 0..<count {
        let leaf = page.number32(at: 8 + 4 * index)
        guard let unused = try self.page(leaf) else { return false }
        try clear(0..<pageSize, of: unused, leaf)
      }
      try clear(8 + 4 * count..<pageSize, of: page, trunk)
      trunk = page.number32(at: 0)
    }
    return true
  }
}

/// The bytes of a page.
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

/// A page of a table or an index: where its cells stand, and what nothing uses.
struct TreePage {
  /// Kinds of pages, by the byte that they begin with.
  private enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13
  }

  /// Where the cells begin.
  let cells: [Int]
  /// Bytes that nothing uses.
  let unused: [Range<Int>]
  /// The page behind the last cell; nil on a leaf.
  let lastChild: UInt32?
  private let kind: Kind
  private let usableSize: Int

  /// Reads the header; nil where it is not as the format says.
  init?(_ page: PageBytes, usableSize: Int) {
    guard let kind = Kind(rawValue: page.bytes[0]) else { return nil }
    self.kind = kind
    self.usableSize = usableSize
    let isLeaf = kind == .indexLeaf || kind == .tableLeaf
    lastChild = isLeaf ? nil : page.number32(at: 8)
    let arrayStart = isLeaf ? 8 : 12
    let count = page.number16(at: 3)
    let arrayEnd = arrayStart + 2 * count
    // 0 means 65 536.
    let contentStart = page.number16(at: 5) == 0 ? 65_536 : page.number16(at: 5)
    guard arrayEnd <= contentStart, contentStart <= usableSize else { return nil }
    var cells: [Int] = []
    cells.reserveCapacity(count)
    for index in 0..<count {
      let cell = page.number16(at: arrayStart + 2 * index)
      guard cell >= contentStart, cell < usableSize else { return nil }
      cells.append(cell)
    }
    self.cells = cells
    var unused = [arrayEnd..<contentStart]
    // Blocks of at least four bytes, which say where the next one is and how long they are.
    var block = page.number16(at: 1)
    var lowest = contentStart
    while block != 0 {
      guard block >= lowest, block + 4 <= usableSize else { return nil }
      let end = block + page.number16(at: block + 2)
      guard end >= block + 4, end <= usableSize else { return nil }
      unused.append(block + 4..<end)
      lowest = end
      block = page.number16(at: block)
    }
    if usableSize < page.bytes.count { unused.append(usableSize..<page.bytes.count) }
    self.unused = unused.filter { !$0.isEmpty }
  }

  /// What a cell refers to: a page below it, and the chain of pages with what did not fit here.
  struct Content {
    /// Where the cell ends.
    var end: Int
    var child: UInt32?
    var overflow: (first: UInt32, byteCount: Int)?
  }

  /// What a cell refers to; nil where it is not as the format says.
  func content(ofCell cell: Int, _ page: PageBytes) -> Content? {
    var (offset, content) = (cell, Content(end: cell))
    if kind == .tableInterior || kind == .indexInterior {
      guard offset + 4 <= usableSize else { return nil }
      content.child = page.number32(at: offset)
      offset += 4
    }
    if kind == .tableInterior {
      guard page.varint(at: &offset) != nil, offset <= usableSize else { return nil }
      content.end = offset
      return content
    }
    guard let length = page.varint(at: &offset), length <= UInt64(Int32.max) else { return nil }
    if kind == .tableLeaf, page.varint(at: &offset) == nil { return nil }
    // The bytes of a cell on the page: all, or as many as leave its overflow pages full.
    let longest =
      kind == .tableLeaf ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    guard length > UInt64(longest) else {
      content.end = offset + Int(length)
      return content.end <= usableSize ? content : nil
    }
    let shortest = (usableSize - 12) * 32 / 255 - 23
    let fitting = shortest + (Int(length) - shortest) % (usableSize - 4)
    let local = fitting <= longest ? fitting : shortest
    guard offset + local + 4 <= usableSize else { return nil }
    content.end = offset + local + 4
    content.overflow = (page.number32(at: offset + local), Int(length) - local)
    return content
  }
}
