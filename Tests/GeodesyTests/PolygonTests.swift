import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct PolygonTests {
  private func square(_ south: Double, _ west: Double, _ north: Double, _ east: Double)
    -> [Coordinate]
  {
    [
      Coordinate(south, west), Coordinate(south, east), Coordinate(north, east),
      Coordinate(north, west),
    ]
  }

  @Test func `a polygon contains its edges and corners, and of its holes only the edges`() throws {
    let polygon = try Polygon(outer: square(0, 0, 10, 10), holes: [square(4, 4, 6, 6)])
    for (latitude, longitude, isInside) in [
      (5.0, 1.0, true), (0, 0, true), (10, 10, true), (0, 5, true), (5, 10, true), (5, 5, false),
      (4, 5, true),
      (6, 6, true), (10.000_000_1, 5, false), (-0.000_000_1, 5, false), (5, -0.000_000_1, false),
      (5, 170, false),
    ] {
      #expect(
        polygon.contains(Coordinate(latitude, longitude)) == isInside, "\(latitude) \(longitude)")
    }
    #expect(polygon.box == (try BoundingBox(south: 0, west: 0, north: 10, east: 10)))
    // Repeating the first corner or reversing the ring does not change the content.
    let closed = try Polygon(outer: square(0, 0, 10, 10).reversed() + [Coordinate(10, 0)])
    #expect(closed.contains(Coordinate(5, 5)))
    #expect(!closed.contains(Coordinate(11, 5)))
  }

  @Test func `a ring and its holes may cross the antimeridian`() throws {
    let fiji = try Polygon(
      outer: [
        Coordinate(-20, 175), Coordinate(-20, -175), Coordinate(-15, -175), Coordinate(-15, 175),
      ],
      holes: [
        [
          Coordinate(-18, -178), Coordinate(-18, -177), Coordinate(-17, -177),
          Coordinate(-17, -178),
        ]
      ])
    #expect(fiji.box == (try BoundingBox(south: -20, west: 175, north: -15, east: -175)))
    #expect(fiji.contains(Coordinate(-16, 179)))
    #expect(fiji.contains(Coordinate(-16, 180)))
    #expect(fiji.contains(Coordinate(-16, -176)))
    #expect(!fiji.contains(Coordinate(-17.5, -177.5)))
    #expect(!fiji.contains(Coordinate(-16, 0)))
    #expect(!fiji.contains(Coordinate(-16, 174)))
  }

  private func corners(_ degrees: [(x: Double, y: Double)]) throws -> [Polygon.Corner] {
    try degrees.map { try #require(Polygon.Corner(latitudeDegrees: $0.y, longitudeDegrees: $0.x)) }
  }

  @Test func `the edges of a ring of corners follow the longitudes as written`() throws {
    let wide = try Polygon(corners: corners([(-170, -20), (100, -20), (100, 20), (-170, 20)]))
    #expect([0, 90, 100, -170].allSatisfy { wide.contains(Coordinate(0, $0)) })
    #expect([101, 180, -171].allSatisfy { !wide.contains(Coordinate(0, $0)) })
    #expect(wide.box == (try BoundingBox(south: -20, west: -170, north: 20, east: 100)))

    let world = try Polygon(
      corners: corners([(-180, -90), (180, -90), (180, 90), (-180, 90), (-180, -90)]))
    #expect(
      [(0, 0), (90, 7), (-90, -180), (3, 180)].allSatisfy { world.contains(Coordinate($0.0, $0.1)) }
    )
    let cap = try Polygon(corners: corners([(-180, 89), (180, 89), (180, 90), (-180, 90)]))
    #expect(cap.contains(Coordinate(89.5, 100)) && cap.contains(Coordinate(90, 0)))
    #expect(!cap.contains(Coordinate(88.9, 100)))

    // The same area, shifted by a full turn in either direction.
    for turn in [-360.0, 0, 360] {
      let ring: [(x: Double, y: Double)] = [(170, -20), (190, -20), (190, -10), (170, -10)]
      let hole: [(x: Double, y: Double)] = [(181, -16), (183, -16), (183, -14), (181, -14)]
      guard abs(190 + turn) <= 540 else { continue }
      let fiji = try Polygon(
        corners: corners(ring.map { ($0.x + turn, $0.y) }),
        holes: [corners(hole.map { ($0.x, $0.y) })])
      #expect(fiji.box == (try BoundingBox(south: -20, west: 170, north: -10, east: -170)))
      #expect([175, 180, -179.5, -171].allSatisfy { fiji.contains(Coordinate(-15, $0)) })
      #expect([169, -169, 0, -178].allSatisfy { !fiji.contains(Coordinate(-15, $0)) })
    }
    #expect(throws: PolygonError.tooWide) {
      try Polygon(corners: corners([(-180, 0), (181, 0), (0, 10)]))
    }
    #expect(Polygon.Corner(latitudeDegrees: 90.1, longitudeDegrees: 0) == nil)
    #expect(Polygon.Corner(latitudeDegrees: 0, longitudeDegrees: .nan) == nil)
    #expect(Polygon.Corner(latitudeDegrees: 0, longitudeDegrees: -541) == nil)
  }

  @Test func `rings without an interior and rings around a pole are refused`() {
    #expect(throws: PolygonError.tooFewCorners) { try Polygon(outer: []) }
    #expect(throws: PolygonError.tooFewCorners) {
      try Polygon(outer: [Coordinate(0, 0), Coordinate(1, 1), Coordinate(0, 0)])
    }
    #expect(throws: PolygonError.aroundPole) {
      try Polygon(outer: [Coordinate(80, 0), Coordinate(80, 120), Coordinate(80, -120)])
    }
  }

  /// The oracle: the sum of the angles that the edges subtend, in floating point. Not valid on the
  /// edges.
  private func winds(_ ring: [Coordinate], around point: Coordinate) -> Bool {
    var sum = 0.0
    for index in ring.indices {
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      func angle(_ corner: Coordinate) -> Double {
        atan2(
          corner.latitudeDegrees - point.latitudeDegrees,
          corner.longitudeDegrees - point.longitudeDegrees)
      }
      sum += (angle(b) - angle(a)).remainder(dividingBy: 2 * .pi)
    }
    return abs(sum) > .pi
  }

  @Test(arguments: Seeds.sample(40))
  func `a polygon contains the points that its ring winds around`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // A star, whose edges do not cross.
    let count = Int.random(in: 3...40, using: &random)
    let ring = (0..<count).map { index in
      let angle = Double(index) / Double(count) * 2 * .pi
      let radius = Double.random(in: 0.5...10, using: &random)
      return Coordinate(20 + radius * sin(angle), 30 + radius * cos(angle))
    }
    let polygon = try Polygon(outer: ring)
    var inside = 0
    for _ in 0..<300 {
      let point = Coordinate(
        .random(in: 9...31, using: &random), .random(in: 19...41, using: &random))
      let expected = winds(ring, around: point)
      #expect(polygon.contains(point) == expected, "\(point)")
      inside += expected ? 1 : 0
    }
    #expect(inside > 0)
  }
}
