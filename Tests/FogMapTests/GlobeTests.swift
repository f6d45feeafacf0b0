import TestSupport
import Testing

@testable import FogMap

@Suite struct GlobeTests {
  @Test(arguments: Seeds.sample(100))
  func `a point of the globe goes to its position and back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let globe = Globe(
      center: Angles(
        latitude: Double.random(in: -1.57...1.57, using: &random),
        longitude: Double.random(in: -3.14...3.14, using: &random)))
    let point = MapPoint(
      x: Double.random(in: -0.7...0.7, using: &random),
      y: Double.random(in: -0.7...0.7, using: &random))
    let back = try #require(globe.angles(of: point).flatMap(globe.point))
    #expect(abs(back.x - point.x) < 1e-12 && abs(back.y - point.y) < 1e-12)
  }

  @Test func `the far side of the globe is not on the map`() {
    let globe = Globe(center: Angles(latitude: 0, longitude: 0))
    #expect(globe.point(of: Angles(latitude: 0, longitude: 3)) == nil)
    #expect(globe.angles(of: MapPoint(x: 0.8, y: 0.8)) == nil)
  }
}
