/// Reads a serialized coverage tile by tile, without holding a coverage in memory.
///
/// The checksum is verified before the first tile is returned. Use ``CoverageStreamReader`` for
/// bytes from a stream.
package struct CoverageReader {
  /// The grid of the coverage.
  package var grid: Grid { items.grid }
  // Sound: the caller of `init` keeps these bytes alive while it uses the reader, and `items`
  // checks every offset against their count.
  private let bytes: UnsafeRawBufferPointer
  private var items: CoverageItems
  private var offset = CoverageFormat.headerSize
  private var isAtEnd = false

  /// Creates a reader of `bytes`, which must stay valid while it is used.
  ///
  /// - Throws: ``CoverageFormatError`` if the header is not one of this version or the checksum is
  ///   wrong.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) {
    guard !bytes.isEmpty else { throw .notACoverage }
    try CoverageFormat.checkMagic(bytes)
    guard bytes.count >= CoverageFormat.headerSize + CoverageFormat.trailerSize else {
      throw .truncated
    }
    try CoverageFormat.checkVersion(bytes)
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(CoverageFormat.trailerSize))
    var checksum = CRC32C()
    checksum.update(body)
    // Sound: `body` is all but the last four bytes.
    let stored = bytes.loadUnaligned(fromByteOffset: body.count, as: UInt32.self)
    guard UInt32(littleEndian: stored) == checksum.value else { throw .checksumMismatch }
    items = CoverageItems(grid: try CoverageFormat.grid(ofHeader: bytes))
    self.bytes = body
  }

  /// The next tile, in ascending order of keys; nil after the last.
  ///
  /// - Throws: ``CoverageFormatError`` if the data is malformed in spite of its checksum.
  package mutating func next() throws(CoverageFormatError) -> (key: Int64, tile: Tile)? {
    var tile = Tile()
    let key = try tile.words.withUnsafeMutableBufferPointer {
      buffer throws(CoverageFormatError) -> Int64? in
      guard let words = buffer.baseAddress else { return nil }
      return try next(into: words)
    }
    return key.map { ($0, tile) }
  }

  mutating func next(into words: UnsafeMutablePointer<UInt64>) throws(CoverageFormatError) -> Int64?
  {
    if isAtEnd { return nil }
    let begin = offset
    if let key = try items.next(bytes, at: &offset, into: words) { return key }
    guard offset == bytes.count else { throw .malformed(offset: begin) }
    isAtEnd = true
    return nil
  }
}
