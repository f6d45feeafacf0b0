import CNearbyDistance

extension NearbyDistance {
  /// Measures many positions in memory, and returns the largest squared chord; 0 for no position.
  ///
  /// A position is 16 bytes: latitude and longitude in units of 1e-7 degree, 32 bits each, and
  /// eight bytes that are not read. Each squared chord in square meters and each distance in meters
  /// has the bits of ``squaredChord(latitudeE7:longitudeE7:)`` and ``meters(squaredChord:)``.
  ///
  /// - Parameters:
  ///   - positions: the first of `count` positions, all within reach.
  ///   - count: their number.
  ///   - longitude: the center's longitude in units of 1e-7 degree, shifted by a turn if that is
  ///     nearer to the positions.
  ///   - squaredChords: room for `count` numbers, rounded up to a multiple of four.
  ///   - meters: the same for the distances.
  package func measure(
    _ positions: UnsafePointer<Int32>, count: Int, longitude: Double,
    squaredChords: UnsafeMutablePointer<Double>, meters: UnsafeMutablePointer<Double>
  ) -> Double {
    var series = series(longitude: longitude)
    return cnearby_measure(&series, positions, count, squaredChords, meters)
  }

  /// The series for the loop in C.
  func series(longitude: Double) -> cnearby_series {
    cnearby_series(
      latitude: latitude, longitude: longitude, meridian: meridianSeries, parallel: parallelSeries,
      turn: Self.turnSeries, bend: bend)
  }
}
