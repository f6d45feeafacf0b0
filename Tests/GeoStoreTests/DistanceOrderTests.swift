import Geodesy
import TestSupport
import Testing

@testable import GeoStore

@Suite struct DistanceOrderTests {
  @Test(arguments: Seeds.sample(40))
  func `sorting by distance equals the standard sort for any distances`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate(0, 0)
    for count in [0, 1, 2, 24, 25, 26, 100, 1_000] {
      let shapes: [() -> Double] = [
        { .random(in: 0...1_000, using: &random) },  // evenly along a radius
        { Double.random(in: 0...1, using: &random).squareRoot() * 1_000 },  // evenly over a circle
        { [0, 1, 5].randomElement(using: &random) ?? 0 },  // many equal ones
        { 0 },
        { 1_000 - .random(in: 0...1e-6, using: &random) },  // all at the rim
        {
          .random(in: 0...1, using: &random) < 0.9
            ? .random(in: 0...1e-3, using: &random) : 20_000_000
        },
      ]
      for distance in shapes {
        var hits = (0..<count).map { id in
          RegionHit(id: Int64(id), coordinate: center, distanceMeters: distance())
        }
        hits.shuffle(using: &random)
        let expected = hits.sorted { ($0.distanceMeters, $0.id) < ($1.distanceMeters, $1.id) }
        hits.sortByDistance()
        #expect(hits == expected)
      }
    }
  }

  @Test func `regions, hits and tile entries have the documented sizes in memory`() {
    #expect(MemoryLayout<RegionHit>.stride == 24)
    #expect(MemoryLayout<VisitedRegion>.stride == 56)
    #expect(MemoryLayout<CachedTile.Entry>.stride == 16)
  }
}
