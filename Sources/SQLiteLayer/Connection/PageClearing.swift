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
  /// The first page of the freelist; 0 if it is empty.
  private let firstTrunk: UInt32
  private var isSeen: [Bool]
  /// The ranges of the file to be cleared.
  private var unused: [Range<Int64>] = []
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
    firstTrunk = header.number32(at: 32)
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, header[20] == 0,
      header.number32(at: 52) == 0,
      try connection.fileSize() == Int64(pageCount) * Int64(pageSize)
    else { return nil }
    isSeen = Array(repeating: false, count: pageCount + 1)
  }

  /// Clears the pages of the trees with the given root pages, and those of the freelist. The first
  /// page of the file is left unchanged, because it contains texts of the schema.
  ///
  /// Pages are visited in rounds: those that the pages of one round reference are the next one. So
  /// each level of a tree is in one round. Overflow chains and the freelist may take more.
  ///
  /// - Returns: false, with nothing changed, if the file does not follow the format.
  mutating func clear(roots: [UInt32]) throws(DatabaseError) -> Bool {
    var visits = ([1] + roots).map { PageVisit(number: $0, role: .tree) }
    if firstTrunk != 0 { visits.append(PageVisit(number: firstTrunk, role: .trunk)) }
    while !visits.isEmpty {
      visits.sort { $0.number < $1.number }
      guard accept(visits) else { return false }
      let round = PageRound(connection, pageSize: pageSize, pageCount: pageCount, visits)
      guard let findings = try round.findings() else { return false }
      visits = findings.flatMap(\.visits)
      for found in findings { unused += found.unused }
    }
    for number in 1..<isSeen.count where !isSeen[number] && number != lockPage { return false }
    try overwrite()
    return true
  }

  /// The page in which SQLite locks a byte.
  private var lockPage: Int { Int(Self.lockedByte) / pageSize + 1 }

  /// Notes that pages are visited. Returns false if one does not exist, has no content, or was
  /// visited before.
  private mutating func accept(_ visits: [PageVisit]) -> Bool {
    for visit in visits {
      let number = Int(visit.number)
      guard number > 0, number <= pageCount, number != lockPage, !isSeen[number] else {
        return false
      }
      isSeen[number] = true
    }
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
}
