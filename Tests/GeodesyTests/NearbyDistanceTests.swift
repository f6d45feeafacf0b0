import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct NearbyDistanceTests {
  @Test(arguments: Seeds.sample(200))
  func `within reach it is the distance to a tenth of a millimetre`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let corners = [
      Coordinate(0, 0), Coordinate(0, 180), Coordinate(45, -179.99), Coordinate(-80, 10),
      Coordinate(88, 179.9),
      Coordinate(-89.9, 0), Coordinate(90, 0), Coordinate(-45, 90), Coordinate(89.99, 5),
    ]
    let center =
      seed <= UInt64(corners.count) ? corners[Int(seed) - 1] : Coordinate.random(using: &random)
    let near = NearbyDistance(center: center)
    var (worst, reached) = (0.0, 0)
    for radius in [1.0, 75, 500, 2_000, 10_000, 20_000] where near.reaches(radius) {
      for _ in 0..<100 {
        let other = center.randomNeighbor(within: radius, using: &random)
        let exact = center.distanceMeters(to: other)
        guard exact <= radius else { continue }
        reached += 1
        let squared = near.squaredChord(latitudeE7: other.latitudeE7, longitudeE7: other.longitudeE7)
        worst = max(worst, abs(near.meters(squaredChord: squared) - exact))
        // The other way round: the chord under the distance.
        #expect(abs(near.squaredChord(meters: exact).squareRoot() - squared.squareRoot()) < 1e-4)
      }
    }
    #expect(worst < 1e-4, "\(center)")
    #expect(reached > 100 || abs(center.latitudeDegrees) > 89)
  }

  @Test func `what it reaches ends at 20 km and near the poles`() {
    #expect(NearbyDistance(center: Coordinate(0, 0)).reaches(20_000))
    #expect(!NearbyDistance(center: Coordinate(0, 0)).reaches(20_001))
    #expect(NearbyDistance(center: Coordinate(60, 0)).reaches(20_000))
    #expect(!NearbyDistance(center: Coordinate(90, 0)).reaches(1))
    #expect(!NearbyDistance(center: Coordinate(89.5, 0)).reaches(20_000))
    #expect(NearbyDistance(center: Coordinate(89.5, 0)).reaches(500))
    // A degree of latitude is never so short that 20 km leave the series' 0.2°.
    #expect(20_000 / 110_574 < Double(NearbyDistance.latitudeReachE7) / 1e7)
  }

  @Test func `the same place is at no distance`() {
    let here = Coordinate(47.6973, 8.691)
    let squared = NearbyDistance(center: here).squaredChord(
      latitudeE7: here.latitudeE7, longitudeE7: here.longitudeE7)
    #expect(squared == 0)
  }
}
