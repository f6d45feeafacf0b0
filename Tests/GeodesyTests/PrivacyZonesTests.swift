import Geodesy
import TestSupport
import Testing

@Suite struct PrivacyZonesTests {
  @Test(arguments: Seeds.sample(20))
  func `a list of zones contains a position if one of the zones does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let centers = [Coordinate(0, 0), Coordinate(89.999, 10), Coordinate(-17, 179.999)]
    let zones = centers.map { center in
      PrivacyZone(
        center: center.randomNeighbor(within: 2_000, using: &random),
        radiusMeters: .random(in: -5...3_000, using: &random))
    }
    let all = PrivacyZones(zones)
    var inside = 0
    for index in 0..<3_000 {
      let position = centers[index % 3].randomNeighbor(within: 6_000, using: &random)
      let expected = zones.contains {
        $0.center.distanceMeters(to: position) <= $0.radiusMeters
      }
      inside += expected ? 1 : 0
      #expect(all.contains(position) == expected)
    }
    #expect(inside > 0)
    #expect(!PrivacyZones().contains(centers[0]) && PrivacyZones().isEmpty && !all.isEmpty)
  }
}
