import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct LocalFrameTests {
  @Test(arguments: Seeds.sample(400))
  func `isNearer agrees with the exact distance`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let frame = LocalFrame(center: center)
    for _ in 0..<50 {
      let radius = pow(10, Double.random(in: 0...4, using: &random))
      let other = center.randomNeighbor(within: radius * 1.5, using: &random)
      #expect(
        frame.isNearer(than: radius, to: other) == (center.distanceMeters(to: other) < radius),
        "\(center) \(other) \(radius)")
    }
  }

  @Test(arguments: Seeds.sample(400))
  func `the flat distance stays within its tolerance`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate(
      .random(in: -80...80, using: &random), .random(in: -180...180, using: &random))
    let frame = LocalFrame(center: center)
    for _ in 0..<50 {
      let latitude = Int64.random(
        in: -LocalFrame.flatSpanUnits...LocalFrame.flatSpanUnits, using: &random)
      let longitude = Int64.random(
        in: -LocalFrame.flatSpanUnits...LocalFrame.flatSpanUnits, using: &random)
      let other = Coordinate(
        center.latitudeDegrees + Double(latitude) / 1e7,
        center.longitudeDegrees + Double(longitude) / 1e7)
      let flat = frame.flatSquaredMeters(latitudeUnits: latitude, longitudeUnits: longitude)
        .squareRoot()
      let exact = center.distanceMeters(to: other)
      // The added 0.02 m covers rounding to 1e-7 degree, which matters only for the nearest
      // coordinates.
      #expect(abs(flat - exact) <= LocalFrame.flatTolerance * exact + 0.02)
    }
  }

  @Test(arguments: Seeds.sample(400))
  func `the exact distance lies within its bounds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let frame = LocalFrame(center: center)
    var bounded = 0
    for _ in 0..<50 {
      let other = center.randomNeighbor(
        within: pow(10, Double.random(in: -1...4.5, using: &random)), using: &random)
      guard let bounds = frame.distanceBounds(to: other) else { continue }
      bounded += 1
      #expect(bounds.contains(center.distanceMeters(to: other)), "\(center) \(other)")
      #expect(bounds.upperBound - bounds.lowerBound < 0.003 * bounds.upperBound + 0.003)
    }
    if abs(center.latitudeDegrees) < 80, abs(center.longitudeDegrees) < 179 {
      #expect(bounded > 30)
    }
    #expect(LocalFrame(center: Coordinate(85, 0)).distanceBounds(to: Coordinate(85, 0)) == nil)
  }

  @Test func `nothing is nearer than 0 m, and an equal distance is not nearer`() {
    let frame = LocalFrame(center: Coordinate(48, 11))
    #expect(!frame.isNearer(than: 0, to: Coordinate(48, 11)))
    let other = Coordinate(48.001, 11.001)
    let exact = frame.center.distanceMeters(to: other)
    #expect(!frame.isNearer(than: exact, to: other))
    #expect(frame.isNearer(than: exact.nextUp, to: other))
  }
}
