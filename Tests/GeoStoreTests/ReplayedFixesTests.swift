import Geodesy
import TestSupport
import Testing

@testable import GeoStore

@Suite struct ReplayedFixesTests {
  @Test(arguments: Seeds.sample(30))
  func `fixes that come in parts are in the order of import`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Few positions, so that many fixes share one.
    let homes = (0..<20).map { _ in awkwardHomes[0].randomNeighbor(within: 500, using: &random) }
    let all = (0..<200).map { order in
      PlacedFix(
        order: Int64(order) - 20, coordinate: homes[Int.random(in: 0..<20, using: &random)],
        time: nil, accuracyMeters: nil, source: 1,
        isRemoved: Int.random(in: 0..<5, using: &random) == 0)
    }
    var fixes = ReplayedFixes(grid: BlockGrid(searchRadiusMeters: 75))
    var known: [PlacedFix] = []
    for part in 0..<4 {
      let added = all.filter { Int($0.order + 20) % 7 % 4 == part }
      let indexes = fixes.add(added)
      #expect(indexes.map { fixes[$0].order } == added.map(\.order))
      known = (known + added).sorted { $0.order < $1.order }
      #expect(
        fixes.remaining.map { fixes[Int($0)].order }
          == known.filter { !$0.isRemoved }.map(\.order))
      for home in homes {
        let first = known.first { $0.coordinate == home }
        #expect(fixes.first(at: home).map { fixes[$0].order } == first?.order)
      }
      #expect(fixes.slots.count == known.count && fixes.indices.count == known.count)
    }
  }

  @Test func `lists of neighbors are found again, also empty ones`() {
    var lists = NeighborLists()
    #expect(lists.range(of: 5) == nil)
    let five = lists.add([3, 1, 4], of: 5)
    let two = lists.add([], of: 2)
    #expect(five.map { lists[$0] } == [3, 1, 4] && two.isEmpty)
    #expect(lists.range(of: 5) == five && lists.range(of: 2) == two)
    #expect(lists.range(of: 3) == nil && lists.range(of: 6) == nil)
  }
}
