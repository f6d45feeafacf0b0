import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct BoundingBoxTests {
  @Test(arguments: Seeds.sample(300))
  func `a box around a circle contains every point of the circle`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let radius = pow(10, Double.random(in: 0...6.9, using: &random))
    let box = BoundingBox(around: center, radiusMeters: radius)
    for _ in 0..<60 {
      let other = center.randomNeighbor(within: radius * 1.2, using: &random)
      if center.distanceMeters(to: other) <= radius {
        #expect(box.contains(other), "\(center) \(radius) \(other)")
      }
    }
    #expect(box.contains(center))
  }

  @Test(arguments: Seeds.sample(200))
  func `longitude ranges contain the same longitudes as the box`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let edges: [Double] = [-180, -179.9, -1, 0, 1, 179.9, 180]
    let box = try BoundingBox(
      south: -90, west: edges.randomElement(using: &random) ?? 0, north: 90,
      east: edges.randomElement(using: &random) ?? 0)
    for longitude in edges {
      let coordinate = Coordinate(5, longitude)
      let inRuns = box.longitudeRangesE7.contains { $0.contains(coordinate.longitudeE7) }
      #expect(inRuns == box.contains(coordinate), "\(box) \(longitude)")
    }
  }

  @Test(arguments: Seeds.sample(200))
  func `a box around a frame contains the circle and little more`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let corners = [
      Coordinate(80, 0), Coordinate(-80, 179.999), Coordinate(0, -180), Coordinate(79.99, 10),
      Coordinate(90, 0),
    ]
    let center = seed <= 5 ? corners[Int(seed) - 1] : Coordinate.random(using: &random)
    for radius in [
      1, 75, 150, 2_000, 10_000, 10_001, Double.random(in: 1...10_000, using: &random),
    ] {
      let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: radius)
      for _ in 0..<30 {
        let other = center.randomNeighbor(within: radius * 1.05, using: &random)
        if center.distanceMeters(to: other) <= radius { #expect(box.contains(other)) }
      }
      // 110 574 m is the length of the shortest degree of latitude, at the equator.
      #expect(box.north - center.latitudeDegrees <= radius * 1.03 / 110_574 + 1e-6)
    }
  }

  @Test func `a box may cross the antimeridian`() throws {
    let fiji = try BoundingBox(south: -20, west: 177, north: -15, east: -178)
    #expect(fiji.crossesAntimeridian)
    #expect(fiji.contains(Coordinate(-17, 179)))
    #expect(fiji.contains(Coordinate(-17, -179)))
    #expect(fiji.contains(Coordinate(-17, 180)))
    #expect(!fiji.contains(Coordinate(-17, 0)))
    #expect(BoundingBox.world.contains(Coordinate(90, 180)))
  }

  @Test func `bounds out of range or in the wrong order are refused`() {
    #expect(throws: BoundingBoxError.outOfRange) {
      try BoundingBox(south: -91, west: 0, north: 0, east: 1)
    }
    #expect(throws: BoundingBoxError.outOfRange) {
      try BoundingBox(south: .nan, west: 0, north: 0, east: 1)
    }
    #expect(throws: BoundingBoxError.southAboveNorth) {
      try BoundingBox(south: 1, west: 0, north: 0, east: 1)
    }
  }
}
