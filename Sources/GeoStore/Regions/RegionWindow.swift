import Foundation
import Geodesy

/// A region while fixes are being written.
struct OpenRegion {
  let id: Int64
  let center: Coordinate
  /// Whether it has no row yet.
  let isNew: Bool
  /// Accuracy of the fix that made it; only kept for new ones.
  let accuracyMeters: Double?
  /// Its visits; nil until they are needed.
  var visits: VisitList?
  /// Whether the row no longer says what the visits do.
  var isChanged: Bool
}

/// The regions around the fixes that are being written, in memory, found by block.
///
/// Blocks are about 1.1 km wide and high: rows of 0.01°, each with as many blocks as its parallel is long, so that
/// a search looks at one to four blocks at any latitude. A block is read from the store when it is first needed.
struct RegionWindow {
  /// All regions in the window; blocks hold indexes into it.
  var regions: [OpenRegion] = []
  private var blocks: [Int64: [Int32]] = [:]

  /// Reads the regions of one run of cells: `(id, centre)`.
  typealias Loader = (ClosedRange<Int64>) throws(StoreError) -> [(id: Int64, center: Coordinate)]

  /// Blocks in a row of 0.01°: its shortest parallel in units of the equator's 0.01°, at least one.
  static func blockCount(row: Int64) -> Int64 { Int64(blockCounts[Int(row)]) }

  /// All rows from pole to pole, and the north pole itself: 72 kB.
  private static let blockCounts: [Int32] = (0...18_000).map { row in
    let south = Double(row) / 100 - 90
    let farthest = min(90, max(abs(south), abs(south + 0.01)))
    return max(1, Int32(Double(RegionCell.columns) * cos(farthest * .pi / 180)))
  }

  private static func block(longitudeE7: Int32, count: Int64) -> Int64 {
    min(count - 1, (Int64(longitudeE7) + 1_800_000_000) * count / 3_600_000_000)
  }

  private static func key(row: Int64, block: Int64) -> Int64 { row * RegionCell.columns + block }

  /// Indexes of the regions whose centre is nearer than `radiusMeters` to the frame's centre, the nearest first (of
  /// equally near ones the one of the smaller id); the others in no particular order.
  ///
  /// - Complexity: O(regions in the blocks that the circle touches): along a road some dozens.
  mutating func regions(
    around frame: LocalFrame, within radiusMeters: Double, load: Loader
  ) throws(StoreError) -> [Int] {
    let box = BoundingBox(around: frame.center, radiusMeters: radiusMeters)
    let (first, last) = (RegionCell.row(latitudeE7: box.southE7), RegionCell.row(latitudeE7: box.northE7))
    var found: [Int] = []
    for row in first...last {
      let count = Self.blockCount(row: row)
      for range in box.longitudeRangesE7 {
        let west = Self.block(longitudeE7: range.lowerBound, count: count)
        let east = Self.block(longitudeE7: range.upperBound, count: count)
        for block in west...east {
          let members = try self.members(row: row, block: block, count: count, load: load)
          for index in members where frame.isNearer(than: radiusMeters, to: regions[Int(index)].center) {
            found.append(Int(index))
          }
        }
      }
    }
    if found.count > 1 {
      let order = found.map { (frame.center.distanceMeters(to: regions[$0].center), regions[$0].id) }
      if let nearest = found.indices.min(by: { order[$0] < order[$1] }) { found.swapAt(0, nearest) }
    }
    return found
  }

  /// Adds a new region; its block must have been searched before.
  mutating func add(_ region: OpenRegion) -> Int {
    regions.append(region)
    let row = RegionCell.row(latitudeE7: region.center.latitudeE7)
    let block = Self.block(longitudeE7: region.center.longitudeE7, count: Self.blockCount(row: row))
    blocks[Self.key(row: row, block: block), default: []].append(Int32(regions.count - 1))
    return regions.count - 1
  }

  /// Forgets everything.
  mutating func removeAll() {
    regions.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
  }

  /// The regions of a block, read if they were not yet.
  private mutating func members(
    row: Int64, block: Int64, count: Int64, load: Loader
  ) throws(StoreError) -> [Int32] {
    let key = Self.key(row: row, block: block)
    if let members = blocks[key] { return members }
    try fill(key: key, row: row, block: block, count: count, load: load)
    return blocks[key] ?? []
  }

  private mutating func fill(
    key: Int64, row: Int64, block: Int64, count: Int64, load: Loader
  ) throws(StoreError) {
    // The block's edges lie inside cells that it shares with its neighbours: read those too, keep its own.
    let west = block * 3_600_000_000 / count / RegionCell.edgeE7
    let east = min(RegionCell.columns - 1, ((block + 1) * 3_600_000_000 / count) / RegionCell.edgeE7)
    var indexes: [Int32] = []
    for found in try load(row * RegionCell.columns + west...row * RegionCell.columns + east)
    where Self.block(longitudeE7: found.center.longitudeE7, count: count) == block {
      indexes.append(Int32(regions.count))
      regions.append(
        OpenRegion(
          id: found.id, center: found.center, isNew: false, accuracyMeters: nil, visits: nil,
          isChanged: false))
    }
    blocks[key] = indexes
  }
}
