import Foundation
import Geodesy
import SQLiteLayer

/// The regions around the fixes that are being written, in memory, indexed by block.
///
/// Blocks (``BlockGrid``) are about 278 m wide and high, so that a search within 75 m covers one to
/// four of them, or all eight of a pole's last two rows. For wider searches, each doubling of the
/// radius doubles both sides of a block.
///
/// Stored regions are read by geohash cell when a search first touches it: cells of five
/// characters, 4.9 km by at most 4.9 km, and once one of these was dense with regions, of six,
/// 0.6 km by at most 1.2 km, because a track through a dense town touches few of them.
struct RegionWindow {
  /// All regions in the window.
  var regions: [OpenRegion] = []
  /// Indexes of the regions that the last search found: the nearest first, the others in no
  /// particular order.
  private(set) var found: [Int] = []

  /// The part of each region that searches read, stored densely and apart from the rest of the
  /// region.
  private var spots: [Spot] = []
  /// For each block with regions, the index of the region added last.
  private var lastInBlock = NumberTable()
  /// The geohash cells that were read, by ``key(of:)``.
  private var loaded = NumberTable()
  /// The cells that the last search touched, all of which were read; empty at first.
  private var covered = Covered()
  /// Length of the geohashes by which the store is read.
  private var cellLength = RegionWindow.largeCellLength
  /// The contents of the last cell, kept to reuse the memory.
  private var stored: [(id: Int64, center: Coordinate)] = []
  /// Number of regions in a cell of five characters from which cells of six are read.
  private let denseCount: Int
  private let blocks: BlockGrid

  /// A region's center, and the index of the region added to its block before it; negative for the
  /// first region of a block.
  private struct Spot {
    let center: Coordinate
    let next: Int32
  }

  /// A rectangle of whole cells, in units of 1e-7 degree, without its northern and eastern edges.
  private struct Covered {
    private var (southE7, westE7, northE7, eastE7): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)

    /// Creates an empty rectangle.
    init() {}

    /// Creates the rectangle of a covering; nil if that is two runs.
    init?(_ cover: Geohash.Cover, length: Int) {
      guard let columns = cover.columns.first, cover.columns.count == 1 else { return nil }
      southE7 = Geohash.firstLatitudeE7(row: cover.rows.lowerBound, length: length)
      westE7 = Geohash.firstLongitudeE7(column: columns.lowerBound, length: length)
      northE7 = Geohash.firstLatitudeE7(row: cover.rows.upperBound + 1, length: length)
      eastE7 = Geohash.firstLongitudeE7(column: columns.upperBound + 1, length: length)
      // The pole lies inside. So does the meridian of 180°, which is also a western edge, if the
      // rectangle covers the whole parallel.
      if northE7 == 900_000_000 { northE7 += 1 }
      if westE7 == -1_800_000_000, eastE7 == 1_800_000_000 { eastE7 += 1 }
    }

    func holds(_ box: BoundingBox) -> Bool {
      box.southE7 >= southE7 && box.westE7 >= westE7 && box.northE7 < northE7 && box.eastE7 < eastE7
        && !box.crossesAntimeridian
    }
  }

  /// Creates an empty window made for searches within `radiusMeters`; searches within other radii
  /// give correct results too.
  init(radiusMeters: Double = Self.usualRadiusMeters, denseCount: Int = Self.denseCount) {
    self.denseCount = denseCount
    blocks = BlockGrid(searchRadiusMeters: radiusMeters)
  }

  /// The radius for which blocks of 278 m are made.
  static let usualRadiusMeters = 75.0

  /// Length of the geohashes of large cells, 5 characters: 25 bits, 8192 columns and 4096 rows.
  private static let largeCellLength = 5
  /// Reading that many regions takes about 30 µs, as long as a dozen reads of cells of 6
  /// characters, and a track passes through about as many of these in a cell of 5.
  static let denseCount = 100

  /// Encodes a geohash of at most eleven characters as a number.
  private static func key(of cell: Geohash) -> Int64 { Int64(cell.bits << 4) | Int64(cell.length) }

  /// Finds the regions whose centers are nearer than `radiusMeters` to the frame's center, and
  /// stores their indexes in ``found``, the nearest first (of equally near ones the one with the
  /// smaller id).
  ///
  /// - Complexity: O(regions in the blocks that the circle touches): a handful along a road.
  mutating func find(
    around frame: LocalFrame, within radiusMeters: Double, source: some RegionSource
  ) throws(DatabaseError) {
    found.removeAll(keepingCapacity: true)
    let box = BoundingBox(around: frame, radiusMeters: radiusMeters)
    if !covered.holds(box) { try loadCells(of: box, source) }
    blocks.forEachKey(touching: box) { key in
      var index = lastInBlock[key] ?? -1
      while index >= 0 {
        let spot = spots[Int(index)]
        if frame.isNearer(than: radiusMeters, to: spot.center) { found.append(Int(index)) }
        index = spot.next
      }
    }
    if found.count > 1 { bringNearestToFront(frame) }
  }

  /// Moves the nearest of ``found`` to the front. Exact distances are computed only if a flat-Earth
  /// estimate leaves the order open.
  private mutating func bringNearestToFront(_ frame: LocalFrame) {
    var (nearest, farthestMeters) = (0, Double.infinity)
    for place in found.indices {
      guard let bounds = frame.distanceBounds(to: spots[found[place]].center) else { break }
      if bounds.upperBound < farthestMeters {
        (nearest, farthestMeters) = (place, bounds.upperBound)
      }
    }
    let isCertain = found.indices.allSatisfy { place in
      guard place != nearest else { return true }
      return (frame.distanceBounds(to: spots[found[place]].center)?.lowerBound ?? 0)
        > farthestMeters
    }
    if !isCertain {
      let order = found.map { (frame.center.distanceMeters(to: spots[$0].center), regions[$0].id) }
      nearest = order.indices.min { order[$0] < order[$1] } ?? 0
    }
    found.swapAt(0, nearest)
  }

  /// Adds a new region. Its position must have been searched before.
  mutating func add(_ region: OpenRegion) -> Int {
    let index = regions.count
    let next = lastInBlock.replace(blocks.key(of: region.center), with: Int32(index)) ?? -1
    regions.append(region)
    spots.append(Spot(center: region.center, next: next))
    return index
  }

  /// Removes everything.
  mutating func removeAll() {
    regions.removeAll(keepingCapacity: true)
    spots.removeAll(keepingCapacity: true)
    lastInBlock.removeAll()
    loaded.removeAll()
    covered = Covered()
  }

  /// Reads the cells that a box touches, unless they were read before.
  private mutating func loadCells(
    of box: BoundingBox, _ source: some RegionSource
  ) throws(DatabaseError) {
    let length = cellLength
    let cover = Geohash.Cover(of: box, length: length)
    for row in cover.rows {
      for columns in cover.columns {
        for column in columns {
          try loadCell(Geohash(column: column, row: row, length: length), source)
        }
      }
    }
    covered = Covered(cover, length: length) ?? covered
  }

  private mutating func loadCell(
    _ cell: Geohash, _ source: some RegionSource
  ) throws(DatabaseError) {
    guard loaded[Self.key(of: cell)] == nil else { return }
    if cell.length > Self.largeCellLength,
      loaded[Self.key(of: cell.prefix(Self.largeCellLength))] != nil
    {
      return
    }
    stored.removeAll(keepingCapacity: true)
    try source.appendRegions(in: cell, to: &stored)
    loaded.replace(Self.key(of: cell), with: 1)
    for (id, center) in stored {
      _ = add(
        OpenRegion(
          id: id, center: center, isNew: false, accuracyMeters: nil, visits: nil, isChanged: false))
    }
    // From now on, since a cell of 5 characters would read the cells of 6 in it again.
    if stored.count >= denseCount { cellLength = Self.largeCellLength + 1 }
  }
}
