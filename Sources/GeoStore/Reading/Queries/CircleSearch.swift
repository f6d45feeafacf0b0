import Geodesy

/// A circle whose regions are searched: which are in it, and how far they are.
///
/// Whether a region lies within the radius is decided as ``Coordinate/distanceMeters(to:)`` would,
/// whatever is quicker.
struct CircleSearch {
  let center: Coordinate
  let radiusMeters: Double
  let box: BoundingBox
  private let near: NearbyDistance
  /// Whether ``NearbyDistance`` reaches as far as the radius.
  private let isNear: Bool
  /// Squared chords: below the first one surely within the radius, above the second surely not. A
  /// millimetre to either side of the radius, ten times what ``NearbyDistance`` may be off.
  private let surelyInside: Double
  private let surelyOutside: Double
  /// Leaves most of what is outside unmeasured, where ``NearbyDistance`` reaches.
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

  /// Calls `body` with the index of each entry in a part of a tile that lies within the radius, the
  /// entry and its distance in meters, in the tile's order.
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

  /// The same for a radius that ``NearbyDistance`` does not reach: all are measured exactly.
  private func forEachFarHit(
    in tile: CachedTile, _ part: TileCovering.Part, _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    tile.forEachEntry(rows: part.rows, westE7: part.westE7, eastE7: part.eastE7) { index, entry in
      if let meters = exactMeters(to: entry.coordinate) { body(index, entry, meters) }
    }
  }

  /// The longitudes between which a row of a part can have hits; nil where it can have none.
  @inline(__always)
  private func longitudes(
    ofRow row: Int, of part: TileCovering.Part, around longitude: Double
  ) -> (westE7: Int32, eastE7: Int32)? {
    let south = part.southE7(ofRow: row)
    guard let width = prefilter.halfWidth(southE7: south, northE7: south + CachedTile.rowHeightE7)
    else { return nil }
    // Within what fits into 32 bits, on either side of all longitudes.
    return (
      Int32(min(2e9, max(Double(part.westE7), longitude - width))),
      Int32(max(-2e9, min(Double(part.eastE7), longitude + width)))
    )
  }

  /// Puts those entries from `index` on that may be within the radius into a block; returns how
  /// many they are. Looks at no more than a block holds, and moves `index` behind the last.
  ///
  /// Sound: `end` is that of a row's run, which lies within `entries`; no more than
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
      // Without a branch, which the processor would guess wrong as often as right.
      count &+= prefilter.mayHold(difference) ? 1 : 0
      index &+= 1
    }
    return count
  }

  /// Measures a block, and calls `body` with those within the radius.
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

  /// The exact distance in meters to a center, nil where it is more than the radius.
  func exactMeters(to other: Coordinate) -> Double? {
    let meters = center.distanceMeters(to: other)
    return meters <= radiusMeters ? meters : nil
  }
}
