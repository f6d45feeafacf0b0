/// Which steps between two fixes can be travel on the ground.
///
/// The filter drops a lone fix that nobody can have reached and left, but neither the first fix of
/// a track, such as a stale one of a receiver that was just switched on, nor two wrong fixes.
package enum GroundStep {
  /// The speed that no step exceeds, in meters per second, 1,260 km/h: the default of the setting
  /// `maximumSpeedMetersPerSecond`.
  package static let fastestMetersPerSecond = 350.0
  /// The time that a step takes at least, in milliseconds: times may be rounded to minutes.
  package static let shortestMilliseconds: Int64 = 60_000

  /// Returns false for a step that is too long for its time: of 21 km within a minute or less, and
  /// of 350 m for each second of a longer time.
  package static func isPossible(meters: Double, milliseconds: Int64) -> Bool {
    meters <= fastestMetersPerSecond * Double(max(milliseconds, shortestMilliseconds)) / 1_000
  }
}
