import Geocode
import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct CityLimitsTests {
  @Test(arguments: Seeds.sample(40))
  func `the limits of a city are a disc, measured on the ellipsoid`(seed: UInt64) throws {
    let geocoder = try Geocoder.bundled
    var random = SplitMix64(seed: seed)
    var limits = CityLimits(geocoder: geocoder)
    var (inside, outside) = (0, 0)
    // The limits of the largest cities are beyond the reach of the series.
    let wide = (0..<geocoder.cityCount).compactMap { geocoder.city($0) }
      .filter { geocoder.cityLimitsRadiusMeters(of: $0) > 20_000 }
    try #require(!wide.isEmpty)
    for _ in 0..<20 {
      let city = try #require(
        Bool.random(using: &random)
          ? wide.randomElement(using: &random)
          : geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random)))
      let center = try #require(geocoder.coordinate(of: city))
      let radius = geocoder.cityLimitsRadiusMeters(of: city)
      for _ in 0..<100 {
        // Some of them within a few units of the rim, some on the other side of the world.
        let reaches: [Double] = [radius * 1.5, radius * 1.0001, 5_000_000]
        let reach = reaches[Int.random(in: 0..<3, using: &random)]
        let point = center.randomNeighbor(within: reach, using: &random)
        let isInside = center.distanceMeters(to: point) <= radius
        #expect(limits.hold(point, of: city) == isInside, "\(point) in \(center), \(radius) m")
        if isInside { inside += 1 } else { outside += 1 }
      }
    }
    #expect(inside > 100 && outside > 100)
  }
}
