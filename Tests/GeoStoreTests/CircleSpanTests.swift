import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore

@Suite struct CircleSpanTests {
  private static let corners = [
    Coordinate(0, 0), Coordinate(0, 180), Coordinate(45, -179.99), Coordinate(-80, 10),
    Coordinate(88, 179.9),
    Coordinate(-89.9, 0), Coordinate(89.5, -180), Coordinate(-45, 90), Coordinate(89.9, 5),
  ]

  private func center(_ seed: UInt64, using random: inout SplitMix64) -> Coordinate {
    seed <= UInt64(Self.corners.count) ? Self.corners[Int(seed) - 1] : .random(using: &random)
  }

  @Test(arguments: Seeds.sample(200))
  func `places within the radius are within half the width of their parallels`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = center(seed, using: &random)
    let near = NearbyDistance(center: center)
    var within = 0
    for radius in [0.0, 0.05, 1, 75, 500, 2_000, 10_000, 20_000] where near.reaches(radius) {
      let span = CircleSpan(near, radiusMeters: radius)
      for _ in 0..<200 {
        let other = center.randomNeighbor(within: radius * 1.1 + 0.1, using: &random)
        let longitude = span.longitude(near: other.longitudeE7)
        let difference = Double(other.longitudeE7) - longitude
        #expect(abs(difference) <= 1.8e9)
        guard center.distanceMeters(to: other) <= radius else { continue }
        within += 1
        let latitude = Double(other.latitudeE7)
        let (south, north) = (
          latitude - .random(in: 0...50_000, using: &random),
          latitude + .random(in: 0...50_000, using: &random)
        )
        let width = span.halfWidth(southE7: south, northE7: north)
        #expect(width.map { abs(difference) <= $0 } == true)
      }
    }
    #expect(within > 100 || abs(center.latitudeDegrees) > 89)
  }

  @Test(arguments: [1.0, 2_000, 20_000])
  func `parallels beyond the circle have no width, and that of the center has the radius`(
    radius: Double
  ) throws {
    let near = NearbyDistance(center: Coordinate(0, 0))
    let span = CircleSpan(near, radiusMeters: radius)
    let reach = radius / 110_574 * 1e7
    #expect(span.halfWidth(southE7: reach * 1.002 + 1, northE7: 1e8) == nil)
    #expect(span.halfWidth(southE7: -1e8, northE7: -reach * 1.002 - 1) == nil)
    let width = try #require(span.halfWidth(southE7: -1, northE7: 1))
    #expect(abs(width / (radius / 111_319.49 * 1e7) - 1) < 0.003)
  }
}
