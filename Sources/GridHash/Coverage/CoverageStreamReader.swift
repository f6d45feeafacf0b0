/// Reads a serialized coverage as its bytes arrive, tile by tile.
///
/// The first invalid byte is an error; no later bytes are needed to detect it. The checksum is at
/// the end, so do not keep the tiles permanently before ``finish()`` has returned.
///
/// ```swift
/// var reader = CoverageStreamReader()
/// var tiles: [Int64: Tile] = [:]
/// let file = try FileHandle(forReadingFrom: URL(filePath: "explored.coverage"))
/// while let piece = try file.read(upToCount: 1 << 16) {
///   piece.withUnsafeBytes { reader.append($0) }
///   while let (key, tile) = try reader.next() { tiles[key] = tile }
/// }
/// try reader.finish()
/// ```
///
/// - Memory: the piece that was appended last and one tile.
package struct CoverageStreamReader {
  /// The part that is expected next.
  private enum Part { case header, items, checksum, nothing }

  private var part = Part.header
  private var items: CoverageItems?
  /// The unread bytes, after the first `position` bytes, which were read.
  private var pending: [UInt8] = []
  private var position = 0
  /// The number of bytes of the stream before the pending ones.
  private var before = 0
  private var checksum = CRC32C()

  /// Creates a reader at the start of a stream.
  package init() {}

  /// The grid of the coverage; nil until ``next()`` has read the header.
  package var grid: Grid? { items?.grid }

  /// The number of cells in the tiles so far.
  package var cellCount: Int { Int(items?.cells ?? 0) }

  /// Adds the next bytes of the stream.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    discardRead()
    pending.append(contentsOf: bytes)
  }

  /// The next tile, in ascending order of keys; nil if more bytes are needed, or after the last
  /// tile.
  ///
  /// - Throws: ``CoverageFormatError`` at the first byte that the format does not allow, and
  ///   `checksumMismatch` at the end. Offsets count from the start of the stream.
  package mutating func next() throws(CoverageFormatError) -> (key: Int64, tile: Tile)? {
    var tile = Tile()
    let key = try tile.words.withUnsafeMutableBufferPointer {
      buffer throws(CoverageFormatError) -> Int64? in
      guard let words = buffer.baseAddress else { return nil }
      return try next(into: words)
    }
    return key.map { ($0, tile) }
  }

  /// Marks the end of the stream.
  ///
  /// - Throws: ``CoverageFormatError`` if the coverage is incomplete.
  package mutating func finish() throws(CoverageFormatError) {
    if before == 0, pending.isEmpty { throw .notACoverage }
    guard part == .nothing else { throw .truncated }
  }

  // MARK: - Parts

  private mutating func next(
    into words: UnsafeMutablePointer<UInt64>
  ) throws(CoverageFormatError) -> Int64? {
    if part == .header { try readHeader() }
    if part == .items, let key = try readItem(into: words) { return key }
    if part == .checksum { try readChecksum() }
    if part == .nothing, position < pending.count { throw .malformed(offset: before + position) }
    return nil
  }

  private mutating func readHeader() throws(CoverageFormatError) {
    let grid = try pending.withUnsafeBufferPointer {
      buffer throws(CoverageFormatError) -> Grid? in
      let bytes = UnsafeRawBufferPointer(buffer)
      try CoverageFormat.checkMagic(bytes)
      if bytes.count >= 6 { try CoverageFormat.checkVersion(bytes) }
      return bytes.count < CoverageFormat.headerSize
        ? nil : try CoverageFormat.grid(ofHeader: bytes)
    }
    guard let grid else { return }
    items = CoverageItems(grid: grid)
    position = CoverageFormat.headerSize
    part = .items
  }

  /// Reads a tile; nil at the end mark, or if more bytes are needed.
  private mutating func readItem(
    into words: UnsafeMutablePointer<UInt64>
  ) throws(CoverageFormatError) -> Int64? {
    let before = before
    var offset = position
    let key: Int64?
    do throws(CoverageFormatError) {
      key = try pending.withUnsafeBufferPointer { buffer throws(CoverageFormatError) -> Int64? in
        try items?.next(UnsafeRawBufferPointer(buffer), at: &offset, into: words)
      }
    } catch {
      switch error {
      case .truncated: return nil
      case .malformed(let offset): throw .malformed(offset: before + offset)
      default: throw error
      }
    }
    position = offset
    if key == nil { part = .checksum }
    return key
  }

  private mutating func readChecksum() throws(CoverageFormatError) {
    guard pending.count - position >= CoverageFormat.trailerSize else { return }
    discardRead()
    // Sound: the guard has found four unread bytes, which now begin at 0.
    let stored = pending.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    guard UInt32(littleEndian: stored) == checksum.value else { throw .checksumMismatch }
    position = CoverageFormat.trailerSize
    part = .nothing
  }

  /// Discards the bytes that were read.
  private mutating func discardRead() {
    if position == 0 { return }
    let read = position
    pending.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[..<read])) }
    pending.removeFirst(read)
    before += read
    position = 0
  }
}
