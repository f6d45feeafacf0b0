/// The explored cells of one square of 64 × 64 cells, as 64 rows of 64 bits.
///
/// Row 0 is the southernmost; bit 0 of a row is its westernmost cell. A tile takes 512 bytes.
package struct Tile: Hashable, Sendable {
  /// The number of cells of a tile.
  package static var cellCount: Int { 64 * 64 }
  /// The number of bytes of a tile's bits.
  static var byteCount: Int { cellCount / 8 }

  /// Always 64 words.
  var words: [UInt64]

  /// Creates a tile without cells.
  package init() { words = [UInt64](repeating: 0, count: 64) }

  /// Creates a tile from its rows, the southernmost first.
  ///
  /// - Precondition: there are 64 rows.
  package init(rows: some Sequence<UInt64>) {
    words = Array(rows)
    precondition(words.count == 64, "a tile has 64 rows")
  }

  /// Creates a tile with a copy of 64 words.
  ///
  /// Sound: the caller has 64 words at `pointer`, which are copied before this returns.
  init(copying pointer: UnsafePointer<UInt64>) {
    words = Array(UnsafeBufferPointer(start: pointer, count: 64))
  }

  /// The bits of row `row`, 0...63.
  package subscript(row row: Int) -> UInt64 {
    get { words[row] }
    set { words[row] = newValue }
  }

  /// True if no cell is set.
  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The number of set cells, 0...4096.
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The cells in either tile.
  package func union(_ other: Tile) -> Tile { combined(with: other, |) }
  /// The cells in both tiles.
  package func intersection(_ other: Tile) -> Tile { combined(with: other, &) }
  /// The cells of this tile that are not in the other.
  package func subtracting(_ other: Tile) -> Tile { combined(with: other) { $0 & ~$1 } }
  /// The cells in exactly one of the tiles.
  package func symmetricDifference(_ other: Tile) -> Tile { combined(with: other, ^) }

  private func combined(with other: Tile, _ join: (UInt64, UInt64) -> UInt64) -> Tile {
    var result = self
    for row in 0..<64 { result.words[row] = join(words[row], other.words[row]) }
    return result
  }

  /// Calls `body` with the 64 words.
  ///
  /// Sound: there are always 64 words; the pointer is valid only during the call.
  func withWords<Result>(_ body: (UnsafePointer<UInt64>) -> Result) -> Result {
    words.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a tile has 64 rows") }
      return body(base)
    }
  }
}
