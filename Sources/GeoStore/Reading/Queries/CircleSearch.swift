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
  private let sieve: RadiusSieve

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
    sieve = RadiusSieve(near, radiusMeters: isNear ? max(0, radiusMeters) : 0)
  }

  /// Calls `body` with the index of each entry in a part of a page that lies within the radius, the
  /// entry and its distance in meters, in the page's order.
  @inline(__always)
  func forEachHit(
    in page: CachedTile, _ part: TileCovering.Part, _ body: (Int, CachedTile.Entry, Double) -> Void
  ) {
    guard isNear else {
      page.forEachEntry(rows: part.rows, westE7: part.westE7, eastE7: part.eastE7) { index, entry in
        if let meters = exactMeters(to: entry.coordinate) { body(index, entry, meters) }
      }
      return
    }
    let longitude = sieve.longitude(near: part.westE7)
    Candidates.withRoom { sifted in
      page.entries.withUnsafeBufferPointer { entries in
        for row in part.rows {
          let south = part.southE7(ofRow: row)
          guard let width = sieve.halfWidth(southE7: south, northE7: south + CachedTile.rowHeightE7)
          else { continue }
          let west = Int32(min(2e9, max(Double(part.westE7), longitude - width)))
          let east = Int32(max(-2e9, min(Double(part.eastE7), longitude + width)))
          var (index, end) = page.run(ofRow: row, westE7: west)
          while index < end, entries[index].coordinate.longitudeE7 <= east {
            // What may be within, without a branch that the processor would guess wrong as often as
            // right.
            var count = 0
            let blockEnd = min(end, index + Candidates.capacity)
            while index < blockEnd, entries[index].coordinate.longitudeE7 <= east {
              let place = entries[index].coordinate
              let difference = sieve.difference(
                latitudeE7: place.latitudeE7, longitudeE7: place.longitudeE7, longitude: longitude)
              sifted.put(index, difference, at: count)
              count &+= sieve.mayHold(difference) ? 1 : 0
              index &+= 1
            }
            sifted.measure(count, near)
            for number in 0..<count {
              let index = sifted.index(at: number)
              let entry = entries[index]
              let squared = sifted.squaredChord(at: number)
              if squared <= surelyInside {
                body(index, entry, sifted.meters(at: number))
              } else if squared <= surelyOutside, let meters = exactMeters(to: entry.coordinate) {
                body(index, entry, meters)
              }
            }
          }
        }
      }
    }
  }

  /// The exact distance in meters to a center, nil where it is more than the radius.
  func exactMeters(to other: Coordinate) -> Double? {
    let meters = center.distanceMeters(to: other)
    return meters <= radiusMeters ? meters : nil
  }
}
