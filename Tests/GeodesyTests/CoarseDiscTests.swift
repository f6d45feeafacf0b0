import TestSupport
import Testing

@testable import Geodesy

@Suite struct CoarseDiscTests {
  private static let radii = [10.0, 1_000, 30_000, 500_000]
  private static let shares = [0.5, 1, 1.01, 2, 40]

  @Test(arguments: Seeds.sample(60))
  func `a disc never contradicts the distance, and decides nearly everything`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var (decided, inside, outside) = (0, 0, 0)
    for _ in 0..<20 {
      let center = try #require(
        Coordinate(
          latitudeE7: Int.random(in: 0..<4, using: &random) == 0
            ? 0 : Int32.random(in: -840_000_000...840_000_000, using: &random),
          longitudeE7: Int32.random(in: -1_800_000_000...1_799_999_999, using: &random)))
      let radius = Self.radii[Int.random(in: 0..<4, using: &random)]
      let disc = try #require(CoarseDisc(center: center, radiusMeters: radius))
      for _ in 0..<100 {
        let reach = radius * Self.shares[Int.random(in: 0..<5, using: &random)]
        let point = center.randomNeighbor(within: reach, using: &random)
        let isInside = center.distanceMeters(to: point) <= radius
        guard let answer = disc.contains(point) else { continue }
        #expect(answer == isInside, "\(point) in \(center), \(radius) m")
        decided += 1
        if isInside { inside += 1 } else { outside += 1 }
      }
    }
    #expect(decided > 1_500 && inside > 300 && outside > 300)
  }

  @Test func `a disc around a pole or half the Earth has no limits`() throws {
    let pole = try #require(Coordinate(latitudeE7: 899_000_000, longitudeE7: 0))
    #expect(CoarseDisc(center: pole, radiusMeters: 20_000) == nil)
    #expect(CoarseDisc(center: pole, radiusMeters: 1_000) != nil)
    let zero = try #require(Coordinate(latitudeE7: 0, longitudeE7: 0))
    #expect(CoarseDisc(center: zero, radiusMeters: 600_000) == nil)
    #expect(CoarseDisc(center: zero, radiusMeters: 500_000)?.contains(zero) == true)
  }

  @Test func `the other side of the antimeridian is left to the distance`() throws {
    let west = try #require(Coordinate(latitudeE7: 0, longitudeE7: 1_799_999_000))
    let east = try #require(Coordinate(latitudeE7: 0, longitudeE7: -1_799_999_000))
    let disc = try #require(CoarseDisc(center: west, radiusMeters: 1_000))
    #expect(disc.contains(east) == nil)
  }
}
