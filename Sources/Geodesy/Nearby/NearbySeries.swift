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

  /// Measures many positions in memory, and returns the largest squared chord; 0 for no position.
  ///
  /// A position is 16 bytes: latitude and longitude in units of 1e-7 degree, 32 bits each, and
  /// eight bytes that are not read. Each squared chord in square meters and each distance in meters
  /// has the bits of ``NearbyDistance/squaredChord(latitudeE7:longitudeE7:)`` and
  /// ``NearbyDistance/meters(squaredChord:)``.
  ///
  /// - Parameters:
  ///   - series: the constants, in place, so that they are not copied for each call.
  ///   - positions: the first of `count` positions, all within reach.
  ///   - count: their number.
  ///   - squaredChords: room for `count` numbers, rounded up to a multiple of four.
  ///   - meters: the same for the distances.
  @inline(__always)
  package static func measure(
    _ series: UnsafePointer<NearbySeries>, _ positions: UnsafePointer<Int32>, count: Int,
    squaredChords: UnsafeMutablePointer<Double>, meters: UnsafeMutablePointer<Double>
  ) -> Double {
    // Sound: the series is the only stored property, so it begins where the structure does.
    let values = UnsafeRawPointer(series).assumingMemoryBound(to: cnearby_series.self)
    return cnearby_measure(values, positions, count, squaredChords, meters)
  }
}
