import Foundation
import GeoStore
import Geodesy
import SeededRandom

/// Seeded tracks of people who start from towns: each 27.5 km long, with a kept fix every 55 m, and
/// as winding as roads.
///
/// Towns lie on land and water alike, between 55° south and 65° north. More tracks start from the
/// first towns than from the others, so regions are dense in some places and sparse in most.
package struct SimulatedTracks: Sendable {
  /// Fixes per track.
  package static let fixesPerTrack = 500
  /// The distance between fixes in meters: a little more than the filter's 50 m. Every other fix
  /// joins a region.
  package static let stepMeters = 55.0

  private var random: SplitMix64
  private let towns: [Coordinate]
  private var start: Int64 = 1_420_070_400_000  // 2015-01-01T00:00:00Z

  /// Tracks from `townCount` towns.
  package init(seed: UInt64, townCount: Int = 60) {
    random = SplitMix64(seed: seed)
    var towns: [Coordinate] = []
    while towns.count < max(1, townCount) {
      let latitude = Double.random(in: -55...65, using: &random)
      let longitude = Double.random(in: -180..<180, using: &random)
      if let town = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) {
        towns.append(town)
      }
    }
    self.towns = towns
  }

  /// The next source: tracks from one town, as a logger collects in a month.
  package mutating func nextSource(trackCount: Int = 20) -> [KeptFix] {
    // The square of a random number: the first tenth of the towns gets a third of the sources.
    let share = Double.random(in: 0..<1, using: &random)
    let town = towns[Int(share * share * Double(towns.count))]
    return (0..<trackCount).flatMap { _ in nextTrack(from: town) }
  }

  /// The next track, from any town.
  package mutating func next() -> [KeptFix] { nextSource(trackCount: 1) }

  /// A track: kept fixes of one segment, 5 s apart.
  private mutating func nextTrack(from town: Coordinate) -> [KeptFix] {
    start += Int64.random(in: 3_600_000...40_000_000, using: &random)
    var from = town
    if let moved = try? Coordinate(
      latitudeDegrees: town.latitudeDegrees + .random(in: -0.15...0.15, using: &random),
      longitudeDegrees: town.longitudeDegrees + .random(in: -0.15...0.15, using: &random))
    {
      from = moved
    }
    return Self.track(from: from, using: &random).enumerated().map { index, coordinate in
      KeptFix(
        coordinate: coordinate,
        time: Timestamp(millisecondsSince1970: start + Int64(index) * 5_000),
        accuracyMeters: 5, startsSegment: index == 0)
    }
  }

  /// The positions of one track that starts in some direction.
  static func track(from start: Coordinate, using random: inout SplitMix64) -> [Coordinate] {
    var (latitude, longitude) = (start.latitudeDegrees, start.longitudeDegrees)
    var heading = Double.random(in: 0..<2 * .pi, using: &random)
    var track: [Coordinate] = []
    track.reserveCapacity(fixesPerTrack)
    for _ in 0..<fixesPerTrack {
      guard let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else {
        break
      }
      track.append(coordinate)
      heading += Double.random(in: -0.2...0.2, using: &random)
      // 111 195 m per degree on a sphere of 6 371 km: accurate enough for an invented road.
      let degrees = stepMeters / 111_195
      latitude = min(89, max(-89, latitude + degrees * cos(heading)))
      longitude += degrees * sin(heading) / cos(latitude * .pi / 180)
    }
    return track
  }
}
