import CNearbyDistance

/// The constants of a ``NearbyDistance`` for a loop over many positions. Making them takes as long
/// as measuring a few positions.
package struct NearbySeries {
  let values: cnearby_series

  /// Makes the constants.
  ///
  /// - Parameters:
  ///   - near: the distances from a center.
  ///   - longitude: the center's longitude in units of 1e-7 degree, shifted by a turn if that is
  ///     nearer to the positions.
  package init(_ near: NearbyDistance, longitude: Double) {
    values = cnearby_series(
      latitude: near.latitude, longitude: longitude, meridian: near.meridianSeries,
      parallel: near.parallelSeries, turn: NearbyDistance.turnSeries, bend: near.bend)
  }

  /// Finds the entries in memory that are within a radius or within a millimeter of it.
  ///
  /// An entry is 16 bytes: latitude and longitude in units of 1e-7 degree, 32 bits each, and eight
  /// bytes of any content. A hit is 24: the entry and its distance in meters, with the bits of
  /// ``NearbyDistance/squaredChord(latitudeE7:longitudeE7:)`` and
  /// ``NearbyDistance/meters(squaredChord:)``; NaN where the exact distance must decide.
  ///
  /// - Parameters:
  ///   - series: the constants, in place, so that they are not copied for each call.
  ///   - limits: the squared chords that decide.
  ///   - entries: the first of `count` entries, all within reach.
  ///   - count: their number, at most 256.
  ///   - hits: room for `count` hits, rounded up to a multiple of four. It receives them in the
  ///     order of the entries.
  ///   - places: the same for the index of each hit among the entries.
  /// - Returns: the number of hits, and of those that are not decided.
  package static func find(
    _ series: UnsafePointer<NearbySeries>, _ limits: ChordLimits, _ entries: UnsafeRawPointer,
    count: Int, hits: UnsafeMutableRawPointer, places: UnsafeMutablePointer<UInt8>
  ) -> (count: Int, undecided: Int) {
    // Sound: the series is the only stored property, so it begins where the structure does. The
    // caller's entries and hits have the layouts above.
    let values = UnsafeRawPointer(series).assumingMemoryBound(to: cnearby_series.self)
    let limits = cnearby_limits(
      surely_inside: limits.surelyInside, surely_outside: limits.surelyOutside)
    let room = (count + 3) / 4 * 4
    let found = entries.withMemoryRebound(to: cnearby_entry.self, capacity: count) { entries in
      hits.withMemoryRebound(to: cnearby_hit.self, capacity: room) { hits in
        cnearby_find(values, limits, entries, count, hits, places)
      }
    }
    return (found.count, found.undecided)
  }
}
