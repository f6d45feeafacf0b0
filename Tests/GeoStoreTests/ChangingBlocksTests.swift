import Geodesy
import TestSupport
import Testing

@testable import GeoStore

@Suite struct ChangingBlocksTests {
  @Test(arguments: Seeds.sample(40))
  func `every position within the radius of a center lies in a changing block`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let radius = [5.0, 75, 400, 20_000][Int(seed % 4)]
    for _ in 0..<50 {
      var blocks = ChangingBlocks(radiusMeters: radius)
      // Also near the poles and the antimeridian.
      let center = try #require(
        Coordinate(
          latitudeE7: [-899_999_000, 0, 470_000_000, 899_900_000][
            Int.random(in: 0..<4, using: &random)],
          longitudeE7: [-1_799_999_900, 85_000_000, 1_799_999_900][
            Int.random(in: 0..<3, using: &random)])
      ).randomNeighbor(within: 3 * radius, using: &random)
      blocks.insert(around: center)
      for _ in 0..<40 {
        let position = center.randomNeighbor(within: 1.2 * radius, using: &random)
        guard
          LocalFrame(center: position).isNearer(than: radius, to: center)
            || center.distanceMeters(to: position) < radius
        else { continue }
        let slot = ChangingBlocks.slot(of: position, in: blocks.grid)
        #expect(blocks.mayContain(slot), "\(position) near \(center)")
      }
    }
  }

  @Test func `what is far from all centers is nearly always left out`() throws {
    var random = SplitMix64(seed: 1)
    var blocks = ChangingBlocks(radiusMeters: 75)
    let home = try #require(Coordinate(latitudeE7: 470_000_000, longitudeE7: 85_000_000))
    let away = try #require(Coordinate(latitudeE7: 480_000_000, longitudeE7: 85_000_000))
    for _ in 0..<10_000 {
      blocks.insert(around: home.randomNeighbor(within: 20_000, using: &random))
    }
    let claimed = (0..<10_000).count { _ in
      let position = away.randomNeighbor(within: 20_000, using: &random)
      return blocks.mayContain(ChangingBlocks.slot(of: position, in: blocks.grid))
    }
    #expect(claimed < 2_000)
    let none = ChangingBlocks(radiusMeters: 75)
    #expect(!none.mayContain(ChangingBlocks.slot(of: home, in: none.grid)))
  }
}
