import Foundation
import Geodesy

/// Blocks of about the same size all over the Earth, by which positions in memory are found.
///
/// They are some 278 m wide and 276 to 279 m high: rows of 0.0025°, each with as many blocks as its
/// parallel is long. Each doubling makes both sides twice as long.
struct BlockGrid {
  /// How often the sides of a block are doubled.
  private let doublings: Int64

  /// How wide a block is that is not doubled, in meters, at most.
  static let sideMeters = 279.0
  /// Blocks of 71 km.
  static let maximumDoublings = 8

  /// Blocks whose sides are doubled so many times, 0...``maximumDoublings``.
  init(doublings: Int) {
    self.doublings = Int64(doublings)
  }

  /// Height of a row in units of 1e-7 degree.
  private static let rowHeightE7: Int64 = 25_000
  /// Blocks along the equator, 0.0025° wide.
  private static let equatorBlocks: Int64 = 144_000
  /// Rows that have the same number of blocks: those of 0.01°.
  private static let rowsInBand: Int64 = 4

  /// A quarter of the blocks of all bands from pole to pole, and of the north pole itself: 72 kB.
  private static let bandCounts: [Int32] = (0...18_000).map { band in
    let south = Double(band) / 100 - 90
    let farthest = min(90, max(abs(south), abs(south + 0.01)))
    return max(1, Int32(Double(equatorBlocks / rowsInBand) * cos(farthest * .pi / 180)))
  }

  /// Blocks in a row: the shortest parallel of its band, the southernmost of a row of several, in
  /// units of a block at the equator, at least four.
  private func blockCount(row: Int64) -> Int64 {
    max(
      4,
      Self.rowsInBand * Int64(Self.bandCounts[Int((row &<< doublings) / Self.rowsInBand)])
        &>> doublings)
  }

  private func row(latitudeE7: Int32) -> Int64 {
    ((Int64(latitudeE7) + 900_000_000) / Self.rowHeightE7) &>> doublings
  }

  private static func block(longitudeE7: Int32, count: Int64) -> Int64 {
    min(count - 1, (Int64(longitudeE7) + 1_800_000_000) * count / Coordinate.unitsPerTurn)
  }

  private static func key(row: Int64, block: Int64) -> Int64 { row * equatorBlocks + block }

  /// The number of the block that a position lies in: not negative.
  @inline(__always)
  func key(of position: Coordinate) -> Int64 {
    let row = row(latitudeE7: position.latitudeE7)
    return Self.key(
      row: row, block: Self.block(longitudeE7: position.longitudeE7, count: blockCount(row: row)))
  }

  /// Hands out the numbers of the blocks that a box touches, each once.
  ///
  /// - Complexity: O(blocks).
  @inline(__always)
  func forEachKey(touching box: BoundingBox, _ body: (Int64) -> Void) {
    let (first, last) = (row(latitudeE7: box.southE7), row(latitudeE7: box.northE7))
    for row in first...last {
      let count = blockCount(row: row)
      // Across ±180° both runs may end in one block, where a parallel has few: each is looked at
      // once.
      var end = count
      box.forEachLongitudeRange { west, east in
        let west = Self.block(longitudeE7: west, count: count)
        let east = Self.block(longitudeE7: east, count: count)
        defer { end = west }
        guard west < end else { return }
        for block in west...min(east, end - 1) { body(Self.key(row: row, block: block)) }
      }
    }
  }
}
