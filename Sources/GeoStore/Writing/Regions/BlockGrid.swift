import Foundation
import Geodesy

/// A grid of blocks of about the same size all over the Earth, used to index positions in memory.
///
/// Blocks are about 278 m wide and 276 to 279 m high: rows of 0.0025°, each with a number of blocks
/// proportional to the length of its parallel. Each doubling doubles both sides.
struct BlockGrid {
  /// How many times the sides of a block are doubled.
  private let doublings: Int64

  /// Maximum width in meters of a block that is not doubled.
  static let sideMeters = 279.0
  /// Maximum number of doublings, for blocks of 71 km.
  static let maximumDoublings = 8

  /// Creates a grid whose block sides are doubled 0...``maximumDoublings`` times.
  init(doublings: Int) {
    self.doublings = Int64(doublings)
  }

  /// Creates a grid for searches within a radius: the sides of a block are doubled as often as 75 m
  /// must be doubled to come near it, so that a circle touches one to four blocks.
  init(searchRadiusMeters: Double) {
    let doublings = Int(max(1, searchRadiusMeters / RegionWindow.usualRadiusMeters).exponent)
    self.init(doublings: min(Self.maximumDoublings, doublings))
  }

  /// Height of a row in units of 1e-7 degree.
  private static let rowHeightE7: Int64 = 25_000
  /// Number of blocks along the equator, 0.0025° wide.
  private static let equatorBlocks: Int64 = 144_000
  /// Number of rows that have the same number of blocks: the rows of a band of 0.01°.
  private static let rowsInBand: Int64 = 4

  /// A quarter of the number of blocks in a row, for each band from pole to pole and for the north
  /// pole itself: 72 kB.
  private static let bandCounts: [Int32] = (0...18_000).map { band in
    let south = Double(band) / 100 - 90
    let farthest = min(90, max(abs(south), abs(south + 0.01)))
    return max(1, Int32(Double(equatorBlocks / rowsInBand) * cos(farthest * .pi / 180)))
  }

  /// Returns the number of blocks in a row, at least four: the length of the shortest parallel of
  /// its band (the southernmost band if the row spans several), in units of a block at the equator.
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

  /// Returns the numbers of the rows that some latitudes touch, in units of 1e-7 degree.
  func rows(_ latitudesE7: ClosedRange<Int32>) -> ClosedRange<Int64> {
    row(latitudeE7: latitudesE7.lowerBound)...row(latitudeE7: latitudesE7.upperBound)
  }

  /// Returns the number of a block's row.
  func row(ofKey key: Int64) -> Int64 { key / Self.equatorBlocks }

  /// Returns the number of the block that contains a position; never negative.
  @inline(__always)
  func key(of position: Coordinate) -> Int64 {
    let row = row(latitudeE7: position.latitudeE7)
    return Self.key(
      row: row, block: Self.block(longitudeE7: position.longitudeE7, count: blockCount(row: row)))
  }

  /// Calls `body` with the numbers of the blocks that a box touches, each once.
  ///
  /// - Complexity: O(blocks).
  @inline(__always)
  func forEachKey(touching box: BoundingBox, _ body: (Int64) -> Void) {
    let (first, last) = (row(latitudeE7: box.southE7), row(latitudeE7: box.northE7))
    for row in first...last {
      let count = blockCount(row: row)
      // Across ±180° both runs may end in the same block if a row has few: it must be passed only
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
