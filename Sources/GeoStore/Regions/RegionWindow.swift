import Foundation
import Geodesy

/// The regions around the fixes that are being written, in memory, found by block.
///
/// Blocks are about 1.1 km wide and high: rows of 0.01°, each with as many blocks as its parallel is long, so that
/// a search looks at one to four blocks at any latitude. What is in the store is read by geohash of five characters,
/// 4.9 km by at most 4.9 km, when a search first touches it.
struct RegionWindow {
  /// All regions in the window; blocks hold indexes into it.
  var regions: [OpenRegion] = []
  private var blocks: [Int64: [Int32]] = [:]
  private var loaded: Set<Geohash> = []
  /// The cell that was searched last, which is loaded.
  private var lastCell: (column: Int, row: Int)?

  /// Reads the regions whose geohash begins with another: `(id, centre)`.
  typealias Loader = (Geohash) throws(StoreError) -> [(id: Int64, center: Coordinate)]

  /// Characters of the geohashes by which the store is read: 25 bits, 8192 columns and 4096 rows.
  static let cellLength = 5

  /// Height of a row in units of 1e-7 degree.
  private static let rowHeightE7: Int64 = 100_000
  /// Blocks along the equator, 0.01° wide.
  private static let equatorBlocks: Int64 = 36_000

  /// Blocks in a row of 0.01°: its shortest parallel in units of the equator's 0.01°, at least one.
  static func blockCount(row: Int64) -> Int64 { Int64(blockCounts[Int(row)]) }

  /// All rows from pole to pole, and the north pole itself: 72 kB.
  private static let blockCounts: [Int32] = (0...18_000).map { row in
    let south = Double(row) / 100 - 90
    let farthest = min(90, max(abs(south), abs(south + 0.01)))
    return max(1, Int32(Double(equatorBlocks) * cos(farthest * .pi / 180)))
  }

  private static func row(latitudeE7: Int32) -> Int64 { (Int64(latitudeE7) + 900_000_000) / rowHeightE7 }

  private static func block(longitudeE7: Int32, count: Int64) -> Int64 {
    min(count - 1, (Int64(longitudeE7) + 1_800_000_000) * count / 3_600_000_000)
  }

  private static func key(row: Int64, block: Int64) -> Int64 { row * equatorBlocks + block }

  /// Indexes of the regions whose centre is nearer than `radiusMeters` to the frame's centre, the nearest first (of
  /// equally near ones the one of the smaller id); the others in no particular order.
  ///
  /// - Complexity: O(regions in the blocks that the circle touches): along a road some dozens.
  mutating func regions(
    around frame: LocalFrame, within radiusMeters: Double, load: Loader
  ) throws(StoreError) -> [Int] {
    let box = BoundingBox(around: frame, radiusMeters: radiusMeters)
    try loadCells(of: box, load)
    let (first, last) = (Self.row(latitudeE7: box.southE7), Self.row(latitudeE7: box.northE7))
    var found: [Int] = []
    for row in first...last {
      let count = Self.blockCount(row: row)
      box.forEachLongitudeRange { west, east in
        let west = Self.block(longitudeE7: west, count: count)
        let east = Self.block(longitudeE7: east, count: count)
        for block in west...east {
          guard let members = blocks[Self.key(row: row, block: block)] else { continue }
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

  /// Adds a new region; the place where it lies must have been searched before.
  mutating func add(_ region: OpenRegion) -> Int {
    let row = Self.row(latitudeE7: region.center.latitudeE7)
    let block = Self.block(longitudeE7: region.center.longitudeE7, count: Self.blockCount(row: row))
    regions.append(region)
    blocks[Self.key(row: row, block: block), default: []].append(Int32(regions.count - 1))
    return regions.count - 1
  }

  /// Forgets everything.
  mutating func removeAll() {
    regions.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
    loaded.removeAll(keepingCapacity: true)
    lastCell = nil
  }

  /// Reads the cells that a box touches, where that was not done yet.
  private mutating func loadCells(of box: BoundingBox, _ load: Loader) throws(StoreError) {
    let length = Self.cellLength
    if let lastCell, !box.crossesAntimeridian,
      Geohash.row(latitudeE7: box.southE7, length: length) == lastCell.row,
      Geohash.row(latitudeE7: box.northE7, length: length) == lastCell.row,
      Geohash.column(longitudeE7: box.westE7, length: length) == lastCell.column,
      Geohash.column(longitudeE7: box.eastE7, length: length) == lastCell.column
    {
      return
    }
    let cover = Geohash.Cover(of: box, length: length)
    for row in cover.rows {
      for columns in cover.columns {
        for column in columns {
          let cell = Geohash(column: column, row: row, length: length)
          if loaded.insert(cell).inserted {
            for (id, center) in try load(cell) {
              _ = add(
                OpenRegion(
                  id: id, center: center, isNew: false, accuracyMeters: nil, visits: nil, isChanged: false))
            }
          }
          lastCell = (column, row)
        }
      }
    }
  }
}
