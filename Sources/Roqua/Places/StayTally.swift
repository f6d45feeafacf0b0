import Geodesy

/// Tells staying from passing through.
///
/// Time between two fixes that follow one another counts as a stay in a place where both lie in it, they are no more than
/// ``longestPauseSeconds`` apart, and the way between them was slower than ``fastestStayMetersPerSecond``. So a café counts
/// although nothing is recorded while its guest sits still, and a flight over a country does not.
struct StayTally<Place: Hashable> {
  /// A receiver that is silent for longer was somewhere unknown: a day.
  static var longestPauseSeconds: Double { 86_400 }
  /// Faster than this is a flight, or a train that does not stop: 70 m/s, 252 km/h.
  static var fastestStayMetersPerSecond: Double { 70 }
  /// A track without times counts as a stay from so many kept fixes in a place: 30, which are 1.5 km on foot.
  static var undatedFixesOfStay: Int { 30 }

  /// What is known of the time in one place.
  struct Stay: Hashable {
    /// Time that counts as staying.
    var seconds = 0.0
    /// Kept fixes without a time.
    var undatedFixes = 0
  }

  private(set) var stays: [Place: Stay] = [:]
  private var previous: (time: Int64, coordinate: Coordinate, place: Place)?

  /// Takes the next fix in order of time (milliseconds since 1970).
  mutating func take(time: Int64, at coordinate: Coordinate, in place: Place) {
    if let previous, previous.place == place {
      let seconds = Double(time - previous.time) / 1_000
      if seconds > 0, seconds <= Self.longestPauseSeconds,
        previous.coordinate.distanceMeters(to: coordinate) <= Self.fastestStayMetersPerSecond * seconds
      {
        stays[place, default: Stay()].seconds += seconds
      }
    }
    previous = (time, coordinate, place)
  }

  /// Takes a fix without a time.
  mutating func take(undatedIn place: Place) { stays[place, default: Stay()].undatedFixes += 1 }
}
