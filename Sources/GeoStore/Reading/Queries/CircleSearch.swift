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
  /// Squared chords: below the first, a region is certainly within the radius; above the second,
  /// certainly not. They are a millimeter to either side of the radius, ten times the greatest
  /// error of ``NearbyDistance``.
  private let surelyInside: Double
  private let surelyOutside: Double
  /// Skips the measurement of most regions outside the circle, within the reach of
  /// ``NearbyDistance``.
  private let prefilter: RadiusPrefilter

  init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
    let frame = LocalFrame(center: center)
    near = NearbyDistance(frame: frame)
    isNear = near.reaches(radiusMeters)
    box = BoundingBox(around: frame, radiusMeters: radiusMeters)
    let inner = radiusMeters - 0.001
    surelyInside = inner > 0 ? near.squaredChord(meters: inner) : -1
    surelyOutside = near.squaredChord(meters: max(0, radiusMeters) + 0.001)
    prefilter = RadiusPrefilter(near, radiusMeters: isNear ? max(0, radiusMeters) : 0)
  }

  /// Calls `body` with the index, the entry and the distance in meters of each entry in a part of a
  /// tile that lies within the radius, in the tile's order.
  @inline(__always)
  func forEachHit(
    in tile: CachedTile, _ part: TileCovering.Part, _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    guard isNear else { return forEachFarHit(in: tile, part, body) }
    let longitude = prefilter.longitude(near: part.westE7)
    Candidates.withRoom { candidates in
      tile.entries.withUnsafeBufferPointer { entries in
        for row in part.rows {
          guard let (west, east) = longitudes(ofRow: row, of: part, around: longitude)
          else { continue }
          var (index, end) = tile.run(ofRow: row, westE7: west)
          while index < end, entries[index].coordinate.longitudeE7 <= east {
            let count = gather(candidates, of: entries, &index, end, east, longitude)
            measure(candidates, count, of: entries, body)
          }
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
    guard let width = prefilter.halfWidth(southE7: south, northE7: south + CachedTile.rowHeightE7)
    else { return nil }
    // Limited to what fits into 32 bits, which is beyond all longitudes on either side.
    return (
      Int32(min(2e9, max(Double(part.westE7), longitude - width))),
      Int32(max(-2e9, min(Double(part.eastE7), longitude + width)))
    )
  }

  /// Copies those entries from `index` on that may be within the radius into a block, and returns
  /// their number. Examines no more than a block holds, and moves `index` past the last one.
  ///
  /// Sound: `end` is the end of a row's run, which lies within `entries`; at most
  /// ``Candidates/capacity`` entries are put into the block.
  @inline(__always)
  private func gather(
    _ candidates: Candidates, of entries: UnsafeBufferPointer<CachedTile.Entry>,
    _ index: inout Int, _ end: Int, _ eastE7: Int32, _ longitude: Double
  ) -> Int {
    var count = 0
    let blockEnd = min(end, index + Candidates.capacity)
    while index < blockEnd, entries[index].coordinate.longitudeE7 <= eastE7 {
      let place = entries[index].coordinate
      let difference = prefilter.difference(
        latitudeE7: place.latitudeE7, longitudeE7: place.longitudeE7, longitude: longitude)
      candidates.put(index, difference, at: count)
      // Branch-free: the processor would mispredict a branch about half the time.
      count &+= prefilter.mayHold(difference) ? 1 : 0
      index &+= 1
    }
    return count
  }

  /// Measures a block, and calls `body` with the entries within the radius.
  ///
  /// Sound: `gather` has put `count` indexes of `entries` into the block.
  @inline(__always)
  private func measure(
    _ candidates: Candidates, _ count: Int, of entries: UnsafeBufferPointer<CachedTile.Entry>,
    _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    candidates.measure(count, near)
    for place in 0..<count {
      let index = candidates.index(at: place)
      let entry = entries[index]
      let squared = candidates.squaredChord(at: place)
      if squared <= surelyInside {
        body(index, entry, candidates.meters(at: place))
      } else if squared <= surelyOutside, let meters = exactMeters(to: entry.coordinate) {
        body(index, entry, meters)
      }
    }
  }

  /// Returns the exact distance in meters to a center; nil if it exceeds the radius.
  func exactMeters(to other: Coordinate) -> Double? {
    let meters = center.distanceMeters(to: other)
    return meters <= radiusMeters ? meters : nil
  }
}
