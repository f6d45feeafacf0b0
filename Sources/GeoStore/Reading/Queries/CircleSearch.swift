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

  /// Calls `body` with blocks of the hits in a part of a tile, in the tile's order. A block may be
  /// empty.
  ///
  /// Sound: runs lie within the entries, and a block holds as many as are measured at once.
  @inline(__always)
  func forEachBlock(
    in tile: CachedTile, _ part: TileCovering.Part, _ body: (borrowing HitBlock) -> Void
  ) {
    guard isNear else { return forEachFarBlock(in: tile, part, body) }
    let longitude = span.longitude(near: part.westE7)
    withUnsafePointer(to: NearbySeries(near, longitude: longitude)) { series in
      HitBlock.withRoom(forRadiusMeters: radiusMeters) { block in
        tile.entries.withUnsafeBufferPointer { entries in
          guard let base = entries.baseAddress else { return }
          for row in part.rows {
            guard let (west, east) = longitudes(ofRow: row, of: part, around: longitude)
            else { continue }
            let run = tile.run(ofRow: row, westE7: west, eastE7: east)
            for first in stride(from: run.lowerBound, to: run.upperBound, by: block.capacity) {
              let count = min(block.capacity, run.upperBound - first)
              block.fill(
                from: base, first: first, count: count, series, limits, exactMeters: exactMeters)
              body(block)
            }
          }
        }
      }
    }
  }

  /// Does the same for a radius beyond the reach of ``NearbyDistance``: all distances are exact.
  private func forEachFarBlock(
    in tile: CachedTile, _ part: TileCovering.Part, _ body: (borrowing HitBlock) -> Void
  ) {
    HitBlock.withRoom(forRadiusMeters: radiusMeters) { block in
      tile.entries.withUnsafeBufferPointer { entries in
        guard let base = entries.baseAddress else { return }
        for row in part.rows {
          let run = tile.run(ofRow: row, westE7: part.westE7, eastE7: part.eastE7)
          for first in stride(from: run.lowerBound, to: run.upperBound, by: block.capacity) {
            let count = min(block.capacity, run.upperBound - first)
            block.fill(from: base, first: first, count: count, exactMeters: exactMeters)
            body(block)
          }
        }
      }
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
