import Geodesy

/// A search for the regions in a circle and their distances.
///
/// Faster methods are used where possible, but whether a region is inside is always decided as
/// ``Coordinate/distanceMeters(to:)`` would.
struct CircleSearch {
  let center: Coordinate
  let radiusMeters: Double
  let box: BoundingBox
  private let near: NearbyDistance
  /// Whether the radius is within the reach of ``NearbyDistance``.
  private let isNear: Bool
  private let limits: ChordLimits
  /// The longitudes that the circle may reach in a row, within the reach of ``NearbyDistance``.
  private let span: CircleSpan

  init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
    let frame = LocalFrame(center: center)
    near = NearbyDistance(frame: frame)
    isNear = near.reaches(radiusMeters)
    box = BoundingBox(around: frame, radiusMeters: radiusMeters)
    limits = ChordLimits(near, radiusMeters: radiusMeters)
    span = CircleSpan(near, radiusMeters: isNear ? max(0, radiusMeters) : 0)
  }

  /// Calls `body` with the index, the entry and the distance in meters of each entry in a part of a
  /// tile that lies within the radius, in the tile's order.
  @inline(__always)
  func forEachHit(
    in tile: CachedTile, _ part: TileCovering.Part, _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    guard isNear else { return forEachFarHit(in: tile, part, body) }
    let longitude = span.longitude(near: part.westE7)
    MeasuredEntries.withRoom(for: NearbySeries(near, longitude: longitude)) { block in
      tile.entries.withUnsafeBufferPointer { entries in
        for row in part.rows {
          guard let (west, east) = longitudes(ofRow: row, of: part, around: longitude)
          else { continue }
          let run = tile.run(ofRow: row, westE7: west, eastE7: east)
          let step = MeasuredEntries.capacity
          for first in stride(from: run.lowerBound, to: run.upperBound, by: step) {
            let count = min(step, run.upperBound - first)
            report(first, count, of: entries, block, body)
          }
        }
      }
    }
  }

  /// Measures `count` entries from `first` on, and calls `body` with those within the radius.
  ///
  /// Sound: they are entries of a tile, and no more than a block holds.
  @inline(__always)
  private func report(
    _ first: Int, _ count: Int, of entries: UnsafeBufferPointer<CachedTile.Entry>,
    _ block: MeasuredEntries, _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    guard let base = entries.baseAddress else { return }
    let largest = block.measure(base + first, count: count)
    // A short block is the end of a row, where some are outside and waiting for the largest chord
    // takes longer than looking at each.
    if count == MeasuredEntries.capacity, largest <= limits.surelyInside {
      for place in 0..<count {
        body(first + place, entries[first + place], block.meters(at: place))
      }
    } else {
      for index in 0..<block.select(of: count, squaredChordAtMost: limits.surelyOutside) {
        let place = block.selected(at: index)
        let entry = entries[first + place]
        if block.squaredChord(at: place) <= limits.surelyInside {
          body(first + place, entry, block.meters(at: place))
        } else if let meters = exactMeters(to: entry.coordinate) {
          body(first + place, entry, meters)
        }
      }
    }
  }

  /// Does the same for a radius beyond the reach of ``NearbyDistance``: all distances are exact.
  private func forEachFarHit(
    in tile: CachedTile, _ part: TileCovering.Part, _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    tile.forEachEntry(rows: part.rows, westE7: part.westE7, eastE7: part.eastE7) { index, entry in
      if let meters = exactMeters(to: entry.coordinate) { body(index, entry, meters) }
    }
  }

  /// Returns the longitudes between which a row of a part can have hits; nil if it can have none.
  @inline(__always)
  private func longitudes(
    ofRow row: Int, of part: TileCovering.Part, around longitude: Double
  ) -> (westE7: Int32, eastE7: Int32)? {
    let south = part.southE7(ofRow: row)
    guard let width = span.halfWidth(southE7: south, northE7: south + CachedTile.rowHeightE7)
    else { return nil }
    // Limited to what fits into 32 bits, which is beyond all longitudes on either side.
    return (
      Int32(min(2e9, max(Double(part.westE7), longitude - width))),
      Int32(max(-2e9, min(Double(part.eastE7), longitude + width)))
    )
  }

  /// Returns the exact distance in meters to a center; nil if it exceeds the radius.
  func exactMeters(to other: Coordinate) -> Double? {
    let meters = center.distanceMeters(to: other)
    return meters <= radiusMeters ? meters : nil
  }
}
