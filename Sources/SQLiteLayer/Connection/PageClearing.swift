/// Walks through the pages of a database file and clears all unused bytes.
///
/// The format and its terms are defined in https://www.sqlite.org/fileformat2.html. A page of a
/// table or an index has a header and a cell pointer array at its start, and the cells at its end.
/// Unused bytes are those between the two, those of freeblocks except the first four, and fragments
/// between cells. Content that does not fit on the page is in a chain of overflow pages, the last
/// of which may have unused bytes. Unused whole pages are in the freelist.
///
/// Nothing is written before all pages are understood, each in exactly one role: in a damaged file,
/// what one page says about another may be wrong.
struct PageClearing {
  private let connection: Connection
  private let pageSize: Int
  private let pageCount: Int
  private var isSeen: [Bool]
  /// The ranges of the file to be cleared.
  private var unused: [Range<Int64>] = []
  /// The page that was parsed last.
  private var tree = TreePage()
  /// The pages that were read last, and the number of the first.
  private var window: (first: Int, bytes: [UInt8]) = (0, [])
  /// The number of the page that was visited last.
  private var lastVisited = 0
  /// Maximum number of pages read together: 64 KiB of usual pages.
  private static let windowPages = 16
  /// The first byte that SQLite locks. It uses no byte of the page in which this one is, and none
  /// may be written.
  private static let lockedByte: Int64 = 0x4000_0000
  /// Maximum number of bytes written together, below the 128 KiB that SQLite's file object cannot
  /// write at once.
  private static let longestRun = 64 << 10
  /// Maximum number of pages in a row that are written although they have nothing to clear. If that
  /// is one page in five, longer rows are rare. If it is nearly every page, few are written.
  private static let bridgedPages = 4

  /// Reads the file header; nil if the file cannot be cleared: it is not a database, reserves bytes
  /// of each page, or uses `auto_vacuum`.
  init?(_ connection: Connection) throws(DatabaseError) {
    let header = PageBytes(try connection.fileBytes(at: 0, count: 100))
    guard header.count == 100 else { return nil }
    self.connection = connection
    pageSize = header.number16(at: 16) == 1 ? 65_536 : header.number16(at: 16)
    pageCount = Int(header.number32(at: 28))
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, header[20] == 0,
      header.number32(at: 52) == 0,
      try connection.fileSize() == Int64(pageCount) * Int64(pageSize)
    else { return nil }
    isSeen = Array(repeating: false, count: pageCount + 1)
  }

  /// Clears the pages of the trees with the given root pages, and those of the freelist. The first
  /// page of the file is left unchanged, because it contains texts of the schema.
  ///
  /// - Returns: false, with nothing changed, if the file does not follow the format.
  mutating func clear(roots: [UInt32]) throws(DatabaseError) -> Bool {
    var open = [1] + roots
    while let number = open.popLast() {
      guard let page = try page(number), try walk(page, number, &open) else { return false }
    }
    guard try walkFreelist() else { return false }
    let lockPage = Int(Self.lockedByte) / pageSize + 1
    for number in 1..<isSeen.count where !isSeen[number] && number != lockPage { return false }
    try overwrite()
    return true
  }

  /// Overwrites the recorded ranges with zeros.
  ///
  /// Ranges that are close are written together, with the bytes between them as they are. Most
  /// pages of a store that an import has filled have unused bytes. If those are written page by
  /// page, the disk gets as many requests, and a sync takes more than twice as long.
  private mutating func overwrite() throws(DatabaseError) {
    unused.sort { $0.lowerBound < $1.lowerBound }
    var first = 0
    while first < unused.count {
      let start = unused[first].lowerBound
      var end = first + 1
      while end < unused.count,
        unused[end].upperBound - start <= Self.longestRun,
        unused[end].lowerBound - unused[end - 1].upperBound <= Self.bridgedPages * pageSize,
        (start < Self.lockedByte) == (unused[end].lowerBound < Self.lockedByte)
      {
        end += 1
      }
      let count = Int(unused[end - 1].upperBound - start)
      var bytes: [UInt8]
      if end == first + 1 {
        bytes = Array(repeating: 0, count: count)
      } else {
        bytes = try connection.wholeFileBytes(at: start, count: count)
        for range in unused[first..<end] {
          let place = Int(range.lowerBound - start)..<Int(range.upperBound - start)
          _ = bytes.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[place])
              .initializeMemory(as: UInt8.self, repeating: 0)
          }
        }
      }
      try connection.writeFile(bytes, at: start)
      first = end
    }
  }

  /// Returns a page that was not visited before; nil if there is no such page.
  private mutating func page(_ number: UInt32) throws(DatabaseError) -> PageBytes? {
    guard number > 0, number <= pageCount, !isSeen[Int(number)] else { return nil }
    isSeen[Int(number)] = true
    return try bytes(ofPage: Int(number))
  }

  /// Returns a page. Most follow the page before closely, so several are read together then.
  private mutating func bytes(ofPage number: Int) throws(DatabaseError) -> PageBytes {
    defer { lastVisited = number }
    var index = number - window.first
    if index < 0 || (index + 1) * pageSize > window.bytes.count {
      let isNear = number > lastVisited && number - lastVisited <= Self.windowPages
      let count = isNear ? min(Self.windowPages, pageCount - number + 1) : 1
      window.bytes = try connection.wholeFileBytes(
        at: place(of: UInt32(number)), count: count * pageSize)
      window.first = number
      index = 0
    }
    return PageBytes(window.bytes, start: index * pageSize, count: pageSize)
  }

  private func place(of number: UInt32) -> Int64 { Int64(number - 1) * Int64(pageSize) }

  /// Records a part of a page for clearing, if it has any byte other than zero.
  private mutating func note(_ range: Range<Int>, of page: PageBytes, _ number: UInt32) {
    guard page.hasContent(in: range) else { return }
    let place = place(of: number)
    unused.append(place + Int64(range.lowerBound)..<place + Int64(range.upperBound))
  }

  /// Visits a page of a tree, and the overflow chains that begin there.
  private mutating func walk(
    _ page: PageBytes, _ number: UInt32, _ open: inout [UInt32]
  ) throws(DatabaseError) -> Bool {
    guard tree.read(page, headerStart: number == 1 ? 100 : 0) else { return false }
    // The first child comes off first: a table is mostly in the order of the file. The rightmost
    // child is the first of the list.
    if let rightmost = tree.children.first { open.append(rightmost) }
    open += tree.children.dropFirst().reversed()
    for chain in tree.chains {
      guard try walkChain(chain.first, byteCount: chain.byteCount) else { return false }
    }
    if number == 1 { return true }
    for range in tree.unused { note(range, of: page, number) }
    return true
  }

  /// Visits the pages of an overflow chain.
  private mutating func walkChain(
    _ first: UInt32, byteCount: Int
  ) throws(DatabaseError) -> Bool {
    var (number, left) = (first, byteCount)
    while left > 0 {
      guard let page = try page(number) else { return false }
      let used = min(left, pageSize - 4)
      left -= used
      if left == 0 { note(4 + used..<pageSize, of: page, number) }
      number = page.number32(at: 0)
    }
    return number == 0
  }

  /// Visits the pages of the freelist: trunks, each with a list of leaves.
  private mutating func walkFreelist() throws(DatabaseError) -> Bool {
    let header = PageBytes(try connection.fileBytes(at: 0, count: 100))
    var trunk = header.number32(at: 32)
    while trunk != 0 {
      guard let page = try page(trunk) else { return false }
      let count = Int(page.number32(at: 4))
      guard count <= pageSize / 4 - 2 else { return false }
      for index in 0..<count {
        let leaf = page.number32(at: 8 + 4 * index)
        guard let unused = try self.page(leaf) else { return false }
        note(0..<pageSize, of: unused, leaf)
      }
      note(8 + 4 * count..<pageSize, of: page, trunk)
      trunk = page.number32(at: 0)
    }
    return true
  }
}
