/// Reads the serial form of a coverage tile by tile, without a coverage in memory.
///
/// The checksum is proven before the first tile is given.
public struct CoverageReader {
  /// The grid of the coverage.
  public let grid: Grid
  private let bytes: UnsafeRawBufferPointer
  private var offset = CoverageFormat.headerSize
  private var lastKey: Int64 = -1
  private var tiles: UInt64 = 0
  private var cells: UInt64 = 0
  private var isAtEnd = false

  /// A reader of `bytes`, which must stay valid while it is used.
  ///
  /// - Throws: ``CoverageFormatError`` where the header is not one of this version, or the checksum is wrong.
  public init(_ bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) {
    guard bytes.prefix(4).elementsEqual(CoverageFormat.magic.prefix(bytes.count)), !bytes.isEmpty else {
      throw .notACoverage
    }
    guard bytes.count >= CoverageFormat.headerSize + CoverageFormat.trailerSize else { throw .truncated }
    let version = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
    guard version <= CoverageFormat.version else { throw .unsupportedVersion(Int(version)) }
    guard version == CoverageFormat.version else { throw .malformed(offset: 4) }
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(CoverageFormat.trailerSize))
    var checksum = CRC32C()
    checksum.update(body)
    let stored = bytes.loadUnaligned(fromByteOffset: body.count, as: UInt32.self)
    guard UInt32(littleEndian: stored) == checksum.value else { throw .checksumMismatch }
    let radius = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self))
    guard Grid.radiusRangeMeters.contains(Double(radius) / 1000) else { throw .malformed(offset: 6) }
    grid = Grid(millimeters: Int(radius))
    self.bytes = body
  }

  /// The next tile, in ascending order of keys; nil after the last.
  ///
  /// - Throws: ``CoverageFormatError`` where the form is broken in spite of its checksum.
  public mutating func next() throws(CoverageFormatError) -> (key: Int64, tile: Tile)? {
    var tile = Tile()
    let key = try tile.words.withUnsafeMutableBufferPointer { buffer throws(CoverageFormatError) -> Int64? in
      guard let words = buffer.baseAddress else { return nil }
      return try next(into: words)
    }
    return key.map { ($0, tile) }
  }

  mutating func next(into words: UnsafeMutablePointer<UInt64>) throws(CoverageFormatError) -> Int64? {
    if isAtEnd { return nil }
    let begin = offset
    let distance = try varint()
    guard distance > 0 else {
      guard try varint() == tiles, try varint() == cells, offset == bytes.count else {
        throw .malformed(offset: begin)
      }
      isAtEnd = true
      return nil
    }
    guard distance < UInt64(grid.tileCount) + 1 else { throw .malformed(offset: begin) }
    let key = lastKey + Int64(distance)
    try TileCodec.read(bytes, at: &offset, into: words)
    let count = Coverage.count(words)
    guard count > 0, grid.acceptsWords(words, at: key) else { throw .malformed(offset: begin) }
    lastKey = key
    tiles += 1
    cells += UInt64(count)
    return key
  }

  private mutating func varint() throws(CoverageFormatError) -> UInt64 {
    let begin = offset
    var value: UInt64 = 0
    for shift: UInt64 in stride(from: 0, to: 63, by: 7) {
      let byte = try TileCodec.byte(bytes, at: &offset)
      value |= UInt64(byte & 127) << shift
      if byte < 128 {
        guard byte > 0 || shift == 0 else { break }  // one form for a number
        return value
      }
    }
    throw .malformed(offset: begin)
  }
}
