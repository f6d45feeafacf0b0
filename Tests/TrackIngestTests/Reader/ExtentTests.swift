import Geodesy
import TestSupport
import Testing
import TrackIngest

/// The bounds of points near ±180°.
@Suite struct ExtentTests {
  /// Longitudes, and the smallest and the largest one.
  private static let cases: [(longitudes: [Double], expected: ClosedRange<Double>)] = [
    ([179.99, 179.995, 180], 179.99...180), ([180, 179.99], 179.99...180),
    ([-179.99, 180], -180 ... -179.99), ([-180, -170], -180 ... -170),
    ([180], -180 ... -180), ([180, -180], -180 ... -180), ([-1, 180, 2], -1...180),
    ([-2, 180, 1], -180...1), ([179, -179], -179...179), ([179, 180, -178], -178...180),
    ([8, 7.5], 7.5...8),
  ]

  @Test(arguments: cases)
  func `a point at ±180° is on the side of the others, in any order`(
    longitudes: [Double], expected: ClosedRange<Double>
  ) throws {
    for order in [longitudes, Array(longitudes.reversed())] {
      var extent = Extent(Coordinate(-16.8, order[0]))
      for longitude in order.dropFirst() { extent.include(Coordinate(-16.7, longitude)) }
      #expect(Double(extent.westE7) / 1e7 == expected.lowerBound, "\(order)")
      #expect(Double(extent.eastE7) / 1e7 == expected.upperBound, "\(order)")
    }
  }
}
