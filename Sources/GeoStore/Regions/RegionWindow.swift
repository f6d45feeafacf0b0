import Foundation
import Geodesy

/// The regions around the fixes that are being written, in memory, found by block.
///
/// Blocks are about 1.1 km wide and high: rows of 0.01°, each with as many blocks as its parallel is long, so that
/// a search looks at one to four blocks at any latitude. What is in the store is read by geohash when a search first
/// touches it: of five characters, 4.9 km by at most 4.9 km, and once one of these was dense with regions, of six, 0.6 km by
/// at most 1.2 km. A track through a dense town passes most of them by.
struct RegionWindow {
  /// All regions in the window; blocks hold indexes into it.
  var regions: [OpenRegion] = []
  private var blocks: [Int64: [Int32]] = [:]
  private var loaded: Set<Geohash> = []
  /// The cell that was searched last, which is loaded.
  private var lastCell: (column: Int, row: Int)?
  /// Characters of the geohashes by which the store is read.
  private var cellLength = RegionWindow.wideCellLength
  /// Regions in a cell of five characters from which on cells have six.
  private let denseCount: Int

  /// An empty window.
  init(denseCount: Int = RegionWindow.denseCount) { self.denseCount = denseCount }

  /// Reads the regions whose geohash begins with another: `(id, centre)`.
  typealias Loader = (Geohash) throws(StoreError) -> [(id: Int64, center: Coordinate)]

  /// Characters of the wide cells: 25 bits, 8192 columns and 4096 rows.
  private static let wideCellLength = 5
  /// As many take some 30 µs to read, as long as a dozen reads of narrow cells, of which a track passes as many in a wide one.
  static let denseCount = 100

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
      // Across ±180° both runs may end in one block, where a parallel has few: each is looked at once.
      var end = count
      box.forEachLongitudeRange { west, east in
        let west = Self.block(longitudeE7: west, count: count)
        let east = Self.block(longitudeE7: east, count: count)
        defer { end = west }
        guard west < end else { return }
        for block in west...min(east, end - 1) {
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
    let length = cellLength
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
          try loadCell(Geohash(column: column, row: row, length: length), load)
          lastCell = length == cellLength ? (column, row) : nil
        }
      }
    }
  }

  private mutating func loadCell(_ cell: Geohash, _ load: Loader) throws(StoreError) {
    guard !loaded.contains(cell) else { return }
    let isInWideCell = cell.length > Self.wideCellLength && loaded.contains(cell.prefix(Self.wideCellLength))
    guard !isInWideCell else { return }
    let found = try load(cell)
    loaded.insert(cell)
    for (id, center) in found {
      _ = add(
        OpenRegion(id: id, center: center, isNew: false, accuracyMeters: nil, visits: nil, isChanged: false))
    }
    // From now on, since a wide cell would read the narrow ones in it again.
    if found.count >= denseCount { cellLength = Self.wideCellLength + 1 }
  }
}
