/// Reads the items after the header of a serialized coverage: tiles, and the end.
///
/// Rejects every key, tile and number that a writer would not have written.
struct CoverageItems {
  /// The grid of the coverage.
  let grid: Grid
  private var lastKey: Int64 = -1
  private var tiles: UInt64 = 0
  /// The number of cells in the tiles so far.
  private(set) var cells: UInt64 = 0

  /// Creates a reader at the first item.
  init(grid: Grid) { self.grid = grid }

  /// Reads the tile at `offset` into 64 words and returns its key; nil at the end mark. Moves
  /// `offset` past it.
  ///
  /// Sound: `TileCodec` checks every offset against the count of `bytes`, and `words` has room for
  /// 64. The caller keeps both alive during the call.
  ///
  /// - Throws: ``CoverageFormatError``; `truncated` if the bytes end before the tile does. Only
  ///   `offset` and the words have changed then, so more bytes can be added and the tile read
  ///   again.
  mutating func next(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int,
    into words: UnsafeMutablePointer<UInt64>
  ) throws(CoverageFormatError) -> Int64? {
    let begin = offset
    let distance = try Self.varint(bytes, at: &offset)
    guard distance > 0 else {
      guard try Self.varint(bytes, at: &offset) == tiles,
        try Self.varint(bytes, at: &offset) == cells
      else { throw .malformed(offset: begin) }
      return nil
    }
    guard distance < UInt64(grid.tileCount) + 1 else { throw .malformed(offset: begin) }
    let key = lastKey + Int64(distance)
    guard key < Int64(grid.tileCount) else { throw .malformed(offset: begin) }
    try TileCodec.read(bytes, at: &offset, into: words)
    let count = Coverage.count(words)
    guard count > 0, grid.acceptsWords(words, at: key) else { throw .malformed(offset: begin) }
    lastKey = key
    tiles += 1
    cells += UInt64(count)
    return key
  }

  private static func varint(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(CoverageFormatError) -> UInt64 {
    let begin = offset
    var value: UInt64 = 0
    for shift: UInt64 in stride(from: 0, to: 63, by: 7) {
      let byte = try TileCodec.byte(bytes, at: &offset)
      value |= UInt64(byte & 127) << shift
      if byte < 128 {
        guard byte > 0 || shift == 0 else { break }  // a number has only one form
        return value
      }
    }
    throw .malformed(offset: begin)
  }
}

// MARK: - Header

extension CoverageFormat {
  /// Checks that the bytes begin like a coverage, as far as they go.
  static func checkMagic(_ bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) {
    guard bytes.prefix(4).elementsEqual(magic.prefix(bytes.count)) else { throw .notACoverage }
  }

  /// Checks the version of the format.
  ///
  /// Sound: it reads bytes 4 and 5 during the call.
  ///
  /// - Precondition: there are at least six bytes.
  static func checkVersion(_ bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) {
    let version = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
    guard version <= CoverageFormat.version else { throw .unsupportedVersion(Int(version)) }
    guard version == CoverageFormat.version else { throw .malformed(offset: 4) }
  }

  /// The grid given by a header.
  ///
  /// Sound: it reads bytes 6 to 9 during the call.
  ///
  /// - Precondition: there are at least ``headerSize`` bytes.
  static func grid(ofHeader bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) -> Grid {
    let radius = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self))
    guard Grid.radiusRangeMeters.contains(Double(radius) / 1000) else {
      throw .malformed(offset: 6)
    }
    return Grid(millimeters: Int(radius))
  }
}
