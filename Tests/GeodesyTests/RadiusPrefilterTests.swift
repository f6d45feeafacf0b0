import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct RadiusPrefilterTests {
  private static let corners = [
    Coordinate(0, 0), Coordinate(0, 180), Coordinate(45, -179.99), Coordinate(-80, 10),
    Coordinate(88, 179.9),
    Coordinate(-89.9, 0), Coordinate(89.5, -180), Coordinate(-45, 90), Coordinate(89.9, 5),
  ]

  private func center(_ seed: UInt64, using random: inout SplitMix64) -> Coordinate {
    seed <= UInt64(Self.corners.count) ? Self.corners[Int(seed) - 1] : .random(using: &random)
  }

  @Test(arguments: Seeds.sample(200))
  func `the prefilter keeps all places within the radius and few beyond it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = center(seed, using: &random)
    let near = NearbyDistance(center: center)
    var (within, farther) = (0, 0)
    for radius in [0.0, 0.05, 1, 75, 500, 2_000, 10_000, 20_000] where near.reaches(radius) {
      let prefilter = RadiusPrefilter(near, radiusMeters: radius)
      let isFarAtLeast = radius * (1.001 + loss(center, radius)) + 0.003
      for _ in 0..<200 {
        let other = center.randomNeighbor(within: radius * 1.1 + 0.1, using: &random)
        let exact = center.distanceMeters(to: other)
        let longitude = prefilter.longitude(near: other.longitudeE7)
        let difference = prefilter.difference(
          latitudeE7: other.latitudeE7, longitudeE7: other.longitudeE7, longitude: longitude)
        #expect(abs(difference.y) <= 1.8e9)
        let mayHold = prefilter.mayHold(difference)
        if exact <= radius {
          within += 1
          #expect(mayHold, "\(other) is \(exact) m from \(center)")
        } else if exact > isFarAtLeast {
          farther += 1
          #expect(!mayHold, "\(other) is \(exact) m from \(center), not \(radius)")
        }
        // Between two parallels around the place, its difference of longitude is at most the half
        // width.
        let latitude = Double(other.latitudeE7)
        let (south, north) = (
          latitude - .random(in: 0...50_000, using: &random),
          latitude + .random(in: 0...50_000, using: &random)
        )
        if exact <= radius {
          let width = prefilter.halfWidth(southE7: south, northE7: north)
          #expect(width.map { abs(difference.y) <= $0 } == true)
        }
      }
    }
    #expect(within > 100 || abs(center.latitudeDegrees) > 89)
    #expect(farther > 30 || abs(center.latitudeDegrees) > 80)
  }

  /// The relative amount by which parallels shorten within a circle.
  private func loss(_ center: Coordinate, _ radius: Double) -> Double {
    tan(abs(center.latitudeRadians)) * (radius / 6_335_439) * 1.1
  }

  @Test(arguments: [1.0, 2_000, 20_000])
  func `parallels beyond the circle have no width, and that of the center has the radius`(
    radius: Double
  ) throws {
    let near = NearbyDistance(center: Coordinate(0, 0))
    let prefilter = RadiusPrefilter(near, radiusMeters: radius)
    let reach = radius / 110_574 * 1e7
    #expect(prefilter.halfWidth(southE7: reach * 1.002 + 1, northE7: 1e8) == nil)
    #expect(prefilter.halfWidth(southE7: -1e8, northE7: -reach * 1.002 - 1) == nil)
    let width = try #require(prefilter.halfWidth(southE7: -1, northE7: 1))
    #expect(abs(width / (radius / 111_319.49 * 1e7) - 1) < 0.003)
  }
}
