/// How the fixes of a track are joined to lines on a map that ends at ±180°.
package enum TrackLine {
  /// A line ends where two fixes are farther apart than this, in meters: at a flight or a gap.
  package static let longestStepMeters = 5_000.0

  /// The point at which a step crosses ±180°, if longitudes and latitudes change evenly.
  package struct Crossing: Hashable, Sendable {
    /// The longitude at which the line ends, 180 or -180 degrees. The next one begins at the
    /// opposite.
    package let edgeDegrees: Double
    /// The latitude of the point in degrees.
    package let latitudeDegrees: Double
    /// The part of the step before the point: 0 if the step begins on the meridian, 1 if it ends
    /// there.
    package let share: Double

    /// Returns nil if the shorter way between the positions does not cross ±180°.
    package init?(from start: Coordinate, to end: Coordinate) {
      let half = Coordinate.unitsPerTurn / 2
      let (from, to) = (Int64(start.longitudeE7), Int64(end.longitudeE7))
      guard abs(to - from) > half else { return nil }
      let goesEast = to < from
      edgeDegrees = goesEast ? 180 : -180
      let whole = to - from + (goesEast ? 2 : -2) * half
      share = Double((goesEast ? half : -half) - from) / Double(whole)
      let north = end.latitudeDegrees - start.latitudeDegrees
      latitudeDegrees = start.latitudeDegrees + share * north
    }
  }
}
