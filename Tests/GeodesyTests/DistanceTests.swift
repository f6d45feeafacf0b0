import Foundation
import TestSupport
import Testing

@testable import Geodesy

#if SpatiaLite
  import CProj
#endif

@Suite struct DistanceTests {
  @Test func `a quarter meridian has its known length`() {
    // 10 001 965.729 m on WGS 84: Snyder, "Map projections: a working manual" (1987), p. 17 gives
    // the series.
    #expect(abs(Coordinate(0, 10).distanceMeters(to: Coordinate(90, 0)) - 10_001_965.729_3) < 0.001)
  }

  @Test func `a degree of the equator is 1/360 of its circumference`() {
    let expected = 2 * Double.pi * Ellipsoid.semiMajorAxisMeters / 360
    #expect(abs(Coordinate(0, 179.5).distanceMeters(to: Coordinate(0, -179.5)) - expected) < 0.001)
  }

  @Test func `the distance from pole to pole is half a meridian`() {
    #expect(abs(Coordinate(90, 0).distanceMeters(to: Coordinate(-90, 0)) - 20_003_931.458_6) < 0.5)
  }

  @Test func `the shortest path between opposite points of the equator crosses a pole`() {
    #expect(abs(Coordinate(0, 0).distanceMeters(to: Coordinate(0, -180)) - 20_003_931.458_6) < 0.5)
  }

  @Test func `a pole is the same place at any longitude`() {
    #expect(Coordinate(90, 55).distanceMeters(to: Coordinate(90, -120)) == 0)
    #expect(Coordinate(-90, 0).distanceMeters(to: Coordinate(-90, 180)) == 0)
  }

  @Test(arguments: Seeds.sample(50))
  func `distance is symmetric, and zero only for equal coordinates`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let a = Coordinate.random(using: &random)
    let b = a.randomNeighbor(within: pow(10, .random(in: -1...7, using: &random)), using: &random)
    #expect(abs(a.distanceMeters(to: b) - b.distanceMeters(to: a)) < 1e-6)
    #expect(a.distanceMeters(to: a) == 0)
    #expect(a == b || a.distanceMeters(to: b) > 0)
  }

  @Test(arguments: Seeds.sample(300))
  func `the chord and Vincenty's formula agree where both are accurate`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let a = Coordinate.random(using: &random)
    let b = a.randomNeighbor(within: 14_000, using: &random)
    let vincenty = try #require(a.vincentyMeters(to: b))
    #expect(abs(a.distanceMeters(to: b) - vincenty) < 0.000_5)
  }

  #if SpatiaLite
    /// The distance by PROJ's geodesic.h: C. Karney, "Algorithms for geodesics", J. Geodesy 87
    /// (2013), accurate to 15 nm.
    private func karney(_ a: Coordinate, _ b: Coordinate) -> Double {
      var geodesic = geod_geodesic()
      geod_init(&geodesic, Ellipsoid.semiMajorAxisMeters, Ellipsoid.flattening)
      var meters = 0.0
      geod_inverse(
        &geodesic, a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees,
        &meters, nil, nil)
      return meters
    }

    @Test(arguments: Seeds.sample(2_000))
    func `distances up to 20 km are within 1 mm of the true geodesic`(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      let a = Coordinate.random(using: &random)
      let b = a.randomNeighbor(
        within: pow(10, .random(in: -1...4.15, using: &random)), using: &random)
      let expected = karney(a, b)
      guard expected <= 20_000 else { return }
      #expect(abs(a.distanceMeters(to: b) - expected) < 0.001, "\(a) \(b)")
    }

    @Test(arguments: Seeds.sample(1_000))
    func `all distances are within 0.5 m of the true geodesic`(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      let (a, b) = (Coordinate.random(using: &random), Coordinate.random(using: &random))
      #expect(abs(a.distanceMeters(to: b) - karney(a, b)) < 0.5, "\(a) \(b)")
    }

    @Test(arguments: Seeds.sample(60))
    func `distances near the antipode are within 0.5 m of the true geodesic`(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      let a = Coordinate.random(using: &random)
      let antipode = Coordinate(-a.latitudeDegrees, a.longitudeDegrees + 180)
      let b = antipode.randomNeighbor(within: 80_000, using: &random)
      #expect(abs(a.distanceMeters(to: b) - karney(a, b)) < 0.5, "\(a) \(b)")
    }
  #endif
}
