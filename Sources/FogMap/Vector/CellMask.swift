/// A rectangle of cells or pixels that are set or not. Row 0 is the northernmost.
struct CellMask: Hashable {
  /// The columns.
  let width: Int
  /// The rows.
  let height: Int
  /// The words of a row.
  let rowWords: Int
  /// The rows one after the other; bit 0 of a row's first word is its westernmost cell. Bits beyond
  /// the width are zero.
  private(set) var words: [UInt64]

  /// A mask without set cells.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    rowWords = (width + 63) / 64
    words = [UInt64](repeating: 0, count: rowWords * height)
  }

  /// Whether a cell is set; false outside the mask.
  @inline(__always)
  subscript(column: Int, row: Int) -> Bool {
    guard UInt(bitPattern: column) < UInt(width), UInt(bitPattern: row) < UInt(height) else {
      return false
    }
    return words[row * rowWords + column >> 6] >> UInt64(column & 63) & 1 == 1
  }

  /// Sets the cells of a word in a row: bit 0 is at `column`, which may be outside the mask.
  mutating func insert(_ word: UInt64, column: Int, row: Int) {
    guard column > -64, column < width, 0..<height ~= row else { return }
    var (word, column) = (word, column)
    if column < 0 {
      word >>= UInt64(-column)
      column = 0
    }
    if column + 64 > width, width - column < 64 { word &= 1 << UInt64(width - column) &- 1 }
    let (place, shift) = (row * rowWords + column >> 6, UInt64(column & 63))
    words[place] |= word << shift
    if shift > 0, column >> 6 + 1 < rowWords { words[place + 1] |= word >> (64 - shift) }
  }

  /// True if no cell is set.
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The cells of a row whose western neighbor is not set: where its runs begin.
  func runStarts(row: Int, word: Int) -> UInt64 {
    let place = row * rowWords + word
    let before = word > 0 ? words[place - 1] >> 63 : 0
    return words[place] & ~(words[place] << 1 | before)
  }
}
