/// A block of 64 × 64 explored or unexplored pixels of the world in Web Mercator, which is 2²²
/// pixels wide and high. Pixels are numbered from 180° W eastwards and from 85.05° N southwards.
///
/// - Source: the projection is EPSG:3857; a block is a tile of zoom level 16.
package struct PixelBlock: Hashable, Sendable {
  /// The number of pixels across the world, and of pixels from its northern to its southern edge.
  package static let pixelsAcrossWorld = 1 << 22
  /// The number of pixels across a block.
  package static let width = 64

  /// The column of blocks, 0...65 535 from west to east.
  package let column: Int
  /// The row of blocks, 0...65 535 from north to south.
  package let row: Int
  /// The 64 rows of pixels from north to south. The most significant bit is the westernmost pixel.
  package let rows: [UInt64]

  /// Creates a block of 64 rows.
  package init(column: Int, row: Int, rows: [UInt64]) {
    precondition(rows.count == Self.width, "a block has 64 rows")
    (self.column, self.row, self.rows) = (column, row, rows)
  }

  /// The number of explored pixels.
  package var count: Int { rows.reduce(0) { $0 + $1.nonzeroBitCount } }
}
