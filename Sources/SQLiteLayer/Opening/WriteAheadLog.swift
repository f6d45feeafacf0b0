/// A write-ahead log, read without SQLite (https://www.sqlite.org/fileformat.html, section 4):
/// whose a database is may stand there, and SQLite cannot look without bringing it in.
package struct WriteAheadLog {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24

  private let file: SideFile
  private let header: [UInt8]
  private let pageBytes: Int
  /// Whether the words of which sums are made have their most significant byte first.
  private let isBigEndian: Bool

  /// Nil where there is no log, or nothing in it that SQLite would read.
  package init?(path: String) {
    guard let file = SideFile(path: path), let header = file.bytes(at: 0, count: Self.headerBytes)
    else {
      return nil
    }
    let magic = header.bigEndian(at: 0)
    let size = Int(header.bigEndian(at: 8))
    guard magic & ~1 == 0x377F_0682, header.bigEndian(at: 4) == 3_007_000,
      size.nonzeroBitCount == 1, (512...65_536).contains(size)
    else { return nil }
    (self.file, self.header, pageBytes, isBigEndian) = (file, header, size, magic & 1 == 1)
    var sum = Checksum()
    sum.add(header[..<24], isBigEndian: isBigEndian)
    guard sum.equals(header, at: 24) else { return nil }
  }

  private func offset(ofFrame index: Int) -> Int {
    Self.headerBytes + index * (Self.frameHeaderBytes + pageBytes)
  }

  /// The header of a frame; nil after the last of this log. Frames of earlier uses of the file have
  /// another salt, and no page has the number 0: SQLite ends there, too.
  private func frame(_ index: Int) -> [UInt8]? {
    guard let frame = file.bytes(at: offset(ofFrame: index), count: Self.frameHeaderBytes),
      frame[8..<16] == header[16..<24], frame.bigEndian(at: 0) != 0
    else { return nil }
    return frame
  }

  private func isFirstPage(_ frame: [UInt8]) -> Bool { frame.bigEndian(at: 0) == 1 }

  /// All states of the first page in the log, also those that were not committed. Complexity:
  /// O(frames), of which only the headers are read.
  package func firstPages() -> [FirstPage] {
    var (pages, index): ([FirstPage], Int) = ([], 0)
    while let frame = frame(index) {
      if isFirstPage(frame),
        let page = file.bytes(
          at: offset(ofFrame: index) + Self.frameHeaderBytes, count: FirstPage.bytes
        )
        .flatMap({ FirstPage($0) })
      {
        pages.append(page)
      }
      index += 1
    }
    return pages
  }

  /// The first page as the last whole transaction left it; nil where none changed it. Complexity:
  /// O(bytes).
  package func committedFirstPage() -> FirstPage? {
    var (last, committed): (FirstPage?, FirstPage?) = (nil, nil)
    var (sum, index) = (Checksum(), 0)
    sum.add(header[..<24], isBigEndian: isBigEndian)
    while let frame = frame(index),
      let page = file.bytes(at: offset(ofFrame: index) + Self.frameHeaderBytes, count: pageBytes)
    {
      sum.add(frame[..<8], isBigEndian: isBigEndian)
      sum.add(page[...], isBigEndian: isBigEndian)
      guard sum.equals(frame, at: 16) else { break }  // SQLite reads no further
      if isFirstPage(frame) { last = FirstPage(page) }
      // A transaction ends with the frame that says how many pages the database has.
      if frame.bigEndian(at: 4) != 0 { committed = last }
      index += 1
    }
    return committed
  }

  /// The sum over all frames up to one, of two words (section 4.2 of the same document).
  private struct Checksum {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
      var (first, second) = (first, second)
      bytes.withUnsafeBytes { buffer in
        // Sound: eight bytes lie behind every offset.
        for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
          let a = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let b = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
        }
      }
      (self.first, self.second) = (first, second)
    }

    /// Sums are written most significant byte first, whatever the order of the words.
    func equals(_ bytes: [UInt8], at offset: Int) -> Bool {
      bytes.bigEndian(at: offset) == first && bytes.bigEndian(at: offset + 4) == second
    }
  }
}
