import Foundation
import Geodesy
import SQLiteLayer

/// The regions around the fixes that are being written, in memory, found by block.
///
/// Blocks (``BlockGrid``) are some 278 m wide and high, so that a search within 75 m looks at one
/// to four of them, or all eight of a pole's two last rows. Where searches are wider, each doubling
/// of the radius doubles both sides of a block.
///
/// What is in the store is read by geohash when a search first touches it: of five characters, 4.9
/// km by at most 4.9 km, and once one of these was dense with regions, of six, 0.6 km by at most
/// 1.2 km. A track through a dense town passes most of them by.
struct RegionWindow {
  /// All regions in the window.
  var regions: [OpenRegion] = []
  /// Indexes of the regions that the last search found: the nearest first, the others in no
  /// particular order.
  private(set) var found: [Int] = []

  /// Of each region, what a search reads: beside each other, and not beside what else is known of
  /// it.
  private var spots: [Spot] = []
  /// Of each block with regions, the index of the one that was added last.
  private var lastInBlock = NumberTable()
  /// The geohashes that were read, by ``key(of:)``.
  private var loaded = NumberTable()
  /// What the last search had to touch, all of which was read; empty at first.
  private var covered = Covered()
  /// Characters of the geohashes by which the store is read.
  private var cellLength = RegionWindow.wideCellLength
  /// What the last cell held: kept, so that it need not be rebuilt for each.
  private var stored: [(id: Int64, center: Coordinate)] = []
  /// Regions in a cell of five characters from which on cells have six.
  private let denseCount: Int
  private let blocks: BlockGrid

  /// A region's center, and the index of the one that was in its block before it; negative for
  /// none.
  private struct Spot {
    let center: Coordinate
    let next: Int32
  }

  /// Whole cells beside each other, in units of 1e-7 degree; the northern and the eastern edge lie
  /// outside.
  private struct Covered {
    private var (southE7, westE7, northE7, eastE7): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)

    /// Nothing.
    init() {}

    /// All that a cover has; nil where that is two runs.
    init?(_ cover: Geohash.Cover, length: Int) {
      guard let columns = cover.columns.first, cover.columns.count == 1 else { return nil }
      southE7 = Geohash.firstLatitudeE7(row: cover.rows.lowerBound, length: length)
      westE7 = Geohash.firstLongitudeE7(column: columns.lowerBound, length: length)
      northE7 = Geohash.firstLatitudeE7(row: cover.rows.upperBound + 1, length: length)
      eastE7 = Geohash.firstLongitudeE7(column: columns.upperBound + 1, length: length)
      // The pole lies inside; so does the meridian of 180°, which is a western edge too, where all
      // the parallel does.
      if northE7 == 900_000_000 { northE7 += 1 }
      if westE7 == -1_800_000_000, eastE7 == 1_800_000_000 { eastE7 += 1 }
    }

    func holds(_ box: BoundingBox) -> Bool {
      box.southE7 >= southE7 && box.westE7 >= westE7 && box.northE7 < northE7 && box.eastE7 < eastE7
        && !box.crossesAntimeridian
    }
  }

  /// An empty window, made for searches within `radiusMeters`; it finds the same within any other
  /// radius.
  init(radiusMeters: Double = Self.usualRadiusMeters, denseCount: Int = Self.denseCount) {
    self.denseCount = denseCount
    blocks = BlockGrid(
      doublings: Int(max(1, radiusMeters / Self.usualRadiusMeters).exponent))
  }

  /// The radius that blocks of 278 m are made for.
  static let usualRadiusMeters = 75.0

  /// Characters of the wide cells: 25 bits, 8192 columns and 4096 rows.
  private static let wideCellLength = 5
  /// As many take some 30 µs to read, as long as a dozen reads of narrow cells, of which a track
  /// passes as many in a wide one.
  static let denseCount = 100

  /// A geohash of at most eleven characters as a number.
  private static func key(of cell: Geohash) -> Int64 { Int64(cell.bits << 4) | Int64(cell.length) }

  /// Finds the regions whose center is nearer than `radiusMeters` to the frame's center: ``found``
  /// has their indexes then, the nearest first (of equally near ones the one of the smaller id).
  ///
  /// - Complexity: O(regions in the blocks that the circle touches): along a road a handful.
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

  /// Puts the nearest of ``found`` first. Distances are only worked out where a flat Earth leaves
  /// it open.
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

  /// Adds a new region; the place where it lies must have been searched before.
  mutating func add(_ region: OpenRegion) -> Int {
    let index = regions.count
    let next = lastInBlock.replace(blocks.key(of: region.center), with: Int32(index)) ?? -1
    regions.append(region)
    spots.append(Spot(center: region.center, next: next))
    return index
  }

  /// Forgets everything.
  mutating func removeAll() {
    regions.removeAll(keepingCapacity: true)
    spots.removeAll(keepingCapacity: true)
    lastInBlock.removeAll()
    loaded.removeAll()
    covered = Covered()
  }

  /// Reads the cells that a box touches, where that was not done yet.
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
    if cell.length > Self.wideCellLength,
      loaded[Self.key(of: cell.prefix(Self.wideCellLength))] != nil
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
    // From now on, since a wide cell would read the narrow ones in it again.
    if stored.count >= denseCount { cellLength = Self.wideCellLength + 1 }
  }
}
