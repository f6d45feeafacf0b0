/// Reads a write-ahead log without SQLite (https://www.sqlite.org/fileformat.html, section 4): the
/// log may show what program the database belongs to, and SQLite cannot read it without a
/// checkpoint.
package struct WriteAheadLog {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24

  private let file: SideFile
  private let header: [UInt8]
  private let pageBytes: Int
  /// Whether the words used for checksums have their most significant byte first.
  private let isBigEndian: Bool

  /// Opens a log; nil if there is none, or it contains nothing that SQLite would read.
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

  /// Returns the header of a frame; nil after the last frame of this log. Frames of earlier uses of
  /// the file have another salt, and no page has the number 0: SQLite stops there too.
  private func frame(_ index: Int) -> [UInt8]? {
    guard let frame = file.bytes(at: offset(ofFrame: index), count: Self.frameHeaderBytes),
      frame[8..<16] == header[16..<24], frame.bigEndian(at: 0) != 0
    else { return nil }
    return frame
  }

  private func isFirstPage(_ frame: [UInt8]) -> Bool { frame.bigEndian(at: 0) == 1 }

  /// Returns all states of the first page in the log, including uncommitted ones. Complexity:
  /// O(frames), reading only the headers.
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

  /// Returns the first page as of the last complete transaction; nil if no transaction changed it.
  /// Complexity: O(bytes).
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
      // The last frame of a transaction has the number of pages of the database.
      if frame.bigEndian(at: 4) != 0 { committed = last }
      index += 1
    }
    return committed
  }

  /// The checksum of all frames up to one, made of two words (section 4.2 of the same document).
  private struct Checksum {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
      var (first, second) = (first, second)
      bytes.withUnsafeBytes { buffer in
        // Sound: eight bytes follow every offset.
        for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
          let a = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let b = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
        }
      }
      (self.first, self.second) = (first, second)
    }

    /// Checksums are stored with the most significant byte first, whatever the order of the words.
    func equals(_ bytes: [UInt8], at offset: Int) -> Bool {
      bytes.bigEndian(at: offset) == first && bytes.bigEndian(at: offset + 4) == second
    }
  }
}
