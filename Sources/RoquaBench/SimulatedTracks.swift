import Foundation
import GeoStore
import Geodesy

/// Tracks of people who set out from towns, by seed: each 27.5 km long, a kept fix every 55 m, bending as roads do.
///
/// Towns lie on land and water alike, between 55° south and 65° north. The first of them are set out from most often,
/// so that some places are dense with regions and most are not.
public struct SimulatedTracks: Sendable {
  /// Fixes of a track.
  public static let fixesPerTrack = 500
  /// Metres from fix to fix: little more than the 50 m that the filter asks for. Every other fix joins a region.
  public static let stepMeters = 55.0

  private var random: SeededGenerator
  private let towns: [Coordinate]
  private var start: Int64 = 1_420_070_400_000  // 2015-01-01T00:00:00Z

  /// Tracks from `townCount` towns.
  public init(seed: UInt64, townCount: Int = 60) {
    random = SeededGenerator(seed: seed)
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

  /// What the next one brings home: some tracks from one town, a source of a logger or of a month.
  public mutating func nextSource(trackCount: Int = 20) -> [KeptFix] {
    // The square of a random number: the first tenth of the towns gets a third of the sources.
    let share = Double.random(in: 0..<1, using: &random)
    let town = towns[Int(share * share * Double(towns.count))]
    return (0..<trackCount).flatMap { _ in nextTrack(from: town) }
  }

  /// A track: kept fixes of one segment, 5 s apart.
  private mutating func nextTrack(from town: Coordinate) -> [KeptFix] {
    var latitude = town.latitudeDegrees + Double.random(in: -0.15...0.15, using: &random)
    var longitude = town.longitudeDegrees + Double.random(in: -0.15...0.15, using: &random)
    var heading = Double.random(in: 0..<2 * .pi, using: &random)
    start += Int64.random(in: 3_600_000...40_000_000, using: &random)
    var fixes: [KeptFix] = []
    fixes.reserveCapacity(Self.fixesPerTrack)
    for index in 0..<Self.fixesPerTrack {
      guard
        let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else { break }
      fixes.append(
        KeptFix(
          coordinate: coordinate, time: Timestamp(millisecondsSince1970: start + Int64(index) * 5_000),
          accuracyMeters: 5, startsSegment: index == 0))
      heading += Double.random(in: -0.2...0.2, using: &random)
      // 111 195 m a degree on a sphere of 6 371 km: near enough for a made-up road.
      let degrees = Self.stepMeters / 111_195
      latitude = min(89, max(-89, latitude + degrees * cos(heading)))
      longitude += degrees * sin(heading) / cos(latitude * .pi / 180)
    }
    return fixes
  }
}
