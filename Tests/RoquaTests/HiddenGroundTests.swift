import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// The ground that maps hide around privacy zones.
@Suite struct HiddenGroundTests {
  private let grid = Grid.standard

  @Test(arguments: Seeds.sample(8))
  func `every fix in a zone is hidden, and every cell that it could explore`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let center = Coordinate.random(using: &random)
      let radius = Double.random(in: 1...5_000, using: &random)
      let zone = PrivacyZone(center: center, radiusMeters: radius)
      let hidden = HiddenGround([zone], grid: grid)
      for _ in 0..<20 {
        let fix = center.randomNeighbor(within: radius, using: &random)
        guard zone.contains(fix) else { continue }
        #expect(hidden.contains(fix), "\(center) \(radius) \(fix)")
        var disc = Coverage()
        disc.mark(discAround: fix)
        for (key, tile) in disc.tiles {
          #expect(hidden.clipped(tile, at: key).isEmpty, "\(center) \(radius) \(fix)")
        }
      }
    }
  }

  @Test func `a box touches hidden ground if they share a point`() throws {
    let hidden = HiddenGround(
      [PrivacyZone(center: Coordinate(-17, 179.999), radiusMeters: 700)], grid: grid)
    let box = try #require(hidden.outlines.first { $0.west > 0 })
    let (south, north) = (box.south - 2, box.south - 1)
    #expect(hidden.touches(latitudes: south...box.south, longitudes: 170...box.west))
    #expect(hidden.touches(latitudes: -18...(-16), longitudes: -180...(-179.9999)))
    #expect(!hidden.touches(latitudes: south...north, longitudes: -180...180))
    #expect(!hidden.touches(latitudes: -18...(-16), longitudes: 170...171))
  }

  @Test(arguments: [
    (90.0, 0.0), (-90, 10), (89.999, 30), (0, 180), (0, -180), (51, 179.9999), (-17, -179.999),
    (0, 0),
  ])
  func `zones at the poles and at 180° are hidden`(latitude: Double, longitude: Double) {
    let center = Coordinate(latitude, longitude)
    let hidden = HiddenGround([PrivacyZone(center: center, radiusMeters: 700)], grid: grid)
    #expect(hidden.contains(center))
    var disc = Coverage()
    disc.mark(discAround: center)
    for (key, tile) in disc.tiles { #expect(hidden.clipped(tile, at: key).isEmpty) }
    #expect(!hidden.contains(Coordinate(45, 45)))
  }

  /// The outline must not show the center: many centers have the same one.
  @Test func `zones whose centers differ by hundreds of meters hide the same ground`() {
    var random = SplitMix64(seed: 5)
    var outlines: [[BoundingBox]: [Coordinate]] = [:]
    for _ in 0..<4_000 {
      let center = Coordinate(
        48 + Double.random(in: 0...0.1, using: &random),
        11 + Double.random(in: 0...0.1, using: &random))
      let zone = PrivacyZone(center: center, radiusMeters: 500)
      outlines[HiddenGround.boxes(around: zone, reachMeters: 300), default: []].append(center)
    }
    // 8 by 11 km hold fewer than 400 outlines.
    #expect(outlines.count < 400)
    let common = outlines.values.max { $0.count < $1.count } ?? []
    let apart = common.map { $0.distanceMeters(to: common[0]) }.max() ?? 0
    #expect(apart > 300)
    // Nothing is hidden that is much farther away than the zone is wide.
    for (boxes, centers) in outlines {
      for center in centers.prefix(3) {
        for box in boxes {
          #expect(Coordinate(box.south, box.west).distanceMeters(to: center) < 6_000)
          #expect(Coordinate(box.north, box.east).distanceMeters(to: center) < 6_000)
        }
      }
    }
  }

  @Test func `bounds take the shorter way around the world`() {
    func bounds(_ places: (Double, Double)...) -> [Double] {
      let boxes = places.map { MapBounds(Coordinate($0.0, $0.1)) }
      return boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }.degrees
    }
    #expect(bounds((48, 7), (49, 8)) == [47.995, 6.995, 49.005, 8.005])
    #expect(bounds((-17, 179.9), (-16, -179.8)) == [-17.005, 179.895, -15.995, -179.795])
    #expect(bounds((90, 0), (-90, 0)) == [-90, -0.005, 90, 0.005])
    // Around the world: Greenwich stays in the middle.
    #expect(bounds((0, -100), (0, 100), (0, 0)) == [-0.005, -100.005, 0.005, 100.005])
  }

  @Test(arguments: Seeds.sample(20))
  func `a line is cut if any position on it is hidden`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for longitude in [11.0, 179.999] {
      let center = Coordinate(48, longitude)
      let hidden = HiddenGround([PrivacyZone(center: center, radiusMeters: 500)], grid: grid)
      for _ in 0..<40 {
        let start = center.randomNeighbor(within: 4_000, using: &random)
        let end = center.randomNeighbor(within: 4_000, using: &random)
        let east = (end.longitudeDegrees - start.longitudeDegrees).remainder(dividingBy: 360)
        let isHidden = (0...2_000).contains { step in
          let share = Double(step) / 2_000
          let x = (start.longitudeDegrees + share * east).remainder(dividingBy: 360)
          let y =
            start.latitudeDegrees + share * (end.latitudeDegrees - start.latitudeDegrees)
          return hidden.contains(Coordinate(y, x))
        }
        // Steps of 4 m may miss a corner; they never see one that is not there.
        if isHidden { #expect(hidden.isCrossed(from: start, to: end)) }
        let far = Coordinate(start.latitudeDegrees + 1, start.longitudeDegrees)
        #expect(!hidden.isCrossed(from: far, to: far))
      }
    }
  }

  @Test func `a region that counts fixes of a zone is hidden, however wide regions are`() {
    let zone = PrivacyZone(center: Coordinate(48.1, 11.5), radiusMeters: 300)
    let region = Coordinate(48.1, 11.48)  // 1.5 km away
    #expect(!HiddenGround([zone], grid: grid).contains(region))
    #expect(HiddenGround([zone], grid: grid, clusteringRadiusMeters: 3_000).contains(region))
  }
}
