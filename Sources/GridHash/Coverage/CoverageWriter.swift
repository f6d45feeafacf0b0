/// Serializes a coverage tile by tile, such as one from a store that is larger than memory. Writes
/// the same bytes as ``Coverage/serialized()``.
///
/// Append tiles in ascending order of their keys, take the bytes as they are produced, and call
/// ``finish()``.
package struct CoverageWriter: Sendable {
  private let grid: Grid
  private var bytes: [UInt8] = []
  private var checksum = CRC32C()
  private var lastKey: Int64 = -1
  private var tiles: UInt64 = 0
  private var cells: UInt64 = 0

  /// Creates a writer for a coverage of `grid`.
  package init(grid: Grid) {
    self.grid = grid
    bytes += CoverageFormat.magic
    withUnsafeBytes(of: CoverageFormat.version.littleEndian) { bytes.append(contentsOf: $0) }
    let radius = UInt32(grid.explorationRadiusMillimeters).littleEndian
    withUnsafeBytes(of: radius) { bytes.append(contentsOf: $0) }
  }

  /// Adds a tile. A tile without cells is left out.
  ///
  /// - Precondition: the key is larger than the previous one, and the tile and key are of the grid.
  package mutating func append(_ tile: Tile, at key: Int64) {
    precondition(grid.accepts(tile, at: key), "a tile of another grid")
    if tile.isEmpty { return }
    tile.withWords { append($0, at: key) }
  }

  // Sound: `words` points to the 64 words of a tile, which are copied.
  mutating func append(_ words: UnsafePointer<UInt64>, at key: Int64) {
    precondition(key > lastKey, "tiles must come in order of their keys")
    appendVarint(UInt64(key - lastKey))
    TileCodec.append(words, to: &bytes)
    lastKey = key
    tiles += 1
    cells += UInt64(Coverage.count(words))
  }

  /// Writes the end. Nothing can be appended afterwards.
  package mutating func finish() {
    bytes.append(0)
    appendVarint(tiles)
    appendVarint(cells)
    bytes.withUnsafeBytes { checksum.update($0) }
    withUnsafeBytes(of: checksum.value.littleEndian) { bytes.append(contentsOf: $0) }
    lastKey = .max
    isFinished = true
  }

  private var isFinished = false

  /// The bytes written since the last call, to be appended to the earlier ones.
  package mutating func takeBytes() -> [UInt8] {
    if !isFinished { bytes.withUnsafeBytes { checksum.update($0) } }
    defer { bytes = [] }
    return bytes
  }

  /// Seven bits a byte, lowest first, the high bit set in all but the last (LEB128).
  private mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
