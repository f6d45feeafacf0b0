/// The serial form of a tile's bits, without a checksum. `docs/formats/coverage.md` describes the
/// layout.
///
/// There are two forms. The first is a mask of the rows that differ from the row below them,
/// followed by the positions in each such row where bits change, one byte a position. If that would
/// be longer, the form is the raw 512 bytes. A tile along a track takes 15 to 100 bytes, 0.3 a cell
/// or less; none takes more than ``largestSize``.
///
/// Sound: `words` always points to the 64 words of a tile, which the caller keeps alive during the
/// call. Bytes are read only by `byte` and `word`, which check their count.
enum TileCodec {
  /// The first byte of the form by rows.
  private static let byRows: UInt8 = 1
  /// The first byte of the raw form.
  private static let raw: UInt8 = 2
  /// Marks the last position of a row.
  private static let last: UInt8 = 0x80
  /// Represents a row without set bits, which has no positions.
  private static let emptyRow: UInt8 = 0xC0

  /// The size of the longest form in bytes: a kind and 64 words.
  static let largestSize = 1 + Tile.byteCount

  /// Bit p is set if bit p of the row differs from bit p - 1 (bit -1 is 0).
  private static func changes(in row: UInt64) -> UInt64 { row ^ (row << 1) }

  /// The row with these changes: each bit is the parity of the changes at and below it.
  private static func row(changingAt changes: UInt64) -> UInt64 {
    var row = changes
    for shift: UInt64 in [1, 2, 4, 8, 16, 32] { row ^= row << shift }
    return row
  }

  /// The size of the form by rows in bytes.
  private static func sizeByRows(_ words: UnsafePointer<UInt64>) -> Int {
    var size = 1 + 8
    var below: UInt64 = 0
    for row in 0..<64 {
      if words[row] != below { size += max(1, changes(in: words[row]).nonzeroBitCount) }
      below = words[row]
    }
    return size
  }

  /// Appends the serial form of 64 words.
  static func append(_ words: UnsafePointer<UInt64>, to bytes: inout [UInt8]) {
    guard sizeByRows(words) < largestSize else {
      bytes.append(raw)
      for row in 0..<64 { append(littleEndian: words[row], to: &bytes) }
      return
    }
    bytes.append(byRows)
    var mask: UInt64 = 0
    for row in 0..<64 where words[row] != (row == 0 ? 0 : words[row - 1]) {
      mask |= 1 << UInt64(row)
    }
    append(littleEndian: mask, to: &bytes)
    for row in 0..<64 where mask >> UInt64(row) & 1 == 1 {
      var rest = changes(in: words[row])
      if rest == 0 { bytes.append(emptyRow) }
      while rest != 0 {
        let place = UInt8(rest.trailingZeroBitCount)
        rest &= rest - 1
        bytes.append(rest == 0 ? place | last : place)
      }
    }
  }

  /// Reads a serial form at `offset` into 64 words, and moves `offset` past it.
  ///
  /// Accepts only the output of ``append(_:to:)``, so that a set of cells has only one form.
  ///
  /// - Throws: ``CoverageFormatError/truncated`` or ``CoverageFormatError/malformed(offset:)``.
  static func read(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int, into words: UnsafeMutablePointer<UInt64>
  ) throws(CoverageFormatError) {
    let start = offset
    switch try byte(bytes, at: &offset) {
    case raw:
      for row in 0..<64 { words[row] = try word(bytes, at: &offset) }
      guard sizeByRows(words) >= largestSize else { throw .malformed(offset: start) }
    case byRows:
      let mask = try word(bytes, at: &offset)
      for row in 0..<64 {
        let below = row == 0 ? 0 : words[row - 1]
        guard mask >> UInt64(row) & 1 == 1 else {
          words[row] = below
          continue
        }
        let begin = offset
        words[row] = try self.row(bytes, at: &offset)
        guard words[row] != below else { throw .malformed(offset: begin) }
      }
      guard offset - start < largestSize else { throw .malformed(offset: start) }
    default: throw .malformed(offset: start)
    }
  }

  /// One row of the form by rows: ascending positions, the last of them marked.
  private static func row(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(CoverageFormatError) -> UInt64 {
    var changes: UInt64 = 0
    while true {
      let begin = offset
      let code = try byte(bytes, at: &offset)
      if code == emptyRow, changes == 0 { return 0 }
      let place = UInt64(code & ~last)
      guard place < 64, changes >> place == 0 else { throw .malformed(offset: begin) }
      changes |= 1 << place
      if code & last != 0 { return row(changingAt: changes) }
    }
  }

  // MARK: - Bytes

  static func append(littleEndian word: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  // Sound: an offset is never negative, and the guard bounds it.
  static func byte(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(CoverageFormatError) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  // Sound: an offset is never negative, and the guard has found eight bytes after it.
  static func word(
    _ bytes: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(CoverageFormatError) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw .truncated }
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
