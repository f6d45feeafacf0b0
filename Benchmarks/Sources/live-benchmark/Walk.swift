import BenchmarkSupport
import Foundation
import Geodesy
import TrackIngest

/// The fixes of somebody who walks and drives: a fix a second, turning at random.
struct Walk {
  private var random: SplitMix64
  private var latitude = 48.1
  private var longitude = 11.5
  private var north = 1.0
  private var east = 0.0
  private var milliseconds: Int64 = 1_714_521_600_000

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The next fix, `meters` away from the last one.
  mutating func next(meters: Double) -> Fix {
    milliseconds += 1_000
    north += Double.random(in: -0.2...0.2, using: &random)
    east += Double.random(in: -0.2...0.2, using: &random)
    let length = max((north * north + east * east).squareRoot(), 0.01)
    (north, east) = (north / length, east / length)
    // Back to the middle latitudes, where a degree of longitude is not too short.
    if abs(latitude - 45) > 10 { north = latitude > 45 ? -abs(north) : abs(north) }
    latitude += north * meters / 111_000
    longitude += east * meters / (111_000 * cos(latitude * .pi / 180))
    guard
      let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { fail("a walk left the world at \(latitude) \(longitude)") }
    return Fix(
      coordinate: coordinate, time: Timestamp(millisecondsSince1970: milliseconds),
      horizontalAccuracyMeters: 5, speedMetersPerSecond: meters)
  }

  /// Fixes that are all kept: 60 m apart.
  static func kept(_ count: Int, seed: UInt64) -> [Fix] {
    var walk = Walk(seed: seed)
    return (0..<count).map { _ in walk.next(meters: 60) }
  }

  /// Fixes of which most are dropped, at 1 to 30 m/s, as a receiver sends them.
  static func mixed(_ count: Int, seed: UInt64) -> [Fix] {
    var walk = Walk(seed: seed)
    return (0..<count).map { index in
      walk.next(meters: 1 + Double((index / 600) % 30))
    }
  }
}
