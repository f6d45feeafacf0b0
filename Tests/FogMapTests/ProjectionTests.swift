import TestSupport
import Testing

@testable import FogMap

@Suite struct ProjectionTests {
  @Test(arguments: Seeds.sample(100))
  func `a position goes to the map and back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let angles = Angles(
      latitude: Double.random(in: -1.48...1.48, using: &random),
      longitude: Double.random(in: -3.14...3.14, using: &random))
    let mercator = try #require(WebMercator.point(of: angles).flatMap(WebMercator.angles))
    let equalEarth = try #require(EqualEarth.angles(of: EqualEarth.point(of: angles)))
    for back in [mercator, equalEarth] {
      #expect(abs(back.latitude - angles.latitude) < 1e-12)
      #expect(abs(back.longitude - angles.longitude) < 1e-12)
    }
  }

  @Test func `Web Mercator ends at 85.0511 degrees`() {
    #expect(abs(WebMercator.latitudeLimit * 180 / .pi - 85.0511287798066) < 1e-12)
    #expect(WebMercator.point(of: Angles(latitude: 1.49, longitude: 0)) == nil)
    #expect(WebMercator.angles(of: MapPoint(x: 0, y: 3.2)) == nil)
  }

  @Test func `nothing lies beyond the corners of Equal Earth`() {
    let pole = EqualEarth.point(of: Angles(latitude: .pi / 2, longitude: .pi))
    #expect(EqualEarth.angles(of: MapPoint(x: pole.x + 0.01, y: pole.y)) == nil)
    #expect(EqualEarth.angles(of: MapPoint(x: 0, y: pole.y + 0.01)) == nil)
  }
}
