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

  @Test(arguments: Seeds.sample(30))
  func `fixes that come in parts are found by time`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var fixes = ReplayedFixes(grid: BlockGrid(searchRadiusMeters: 75))
    var known: [(time: Timestamp, order: Int64)] = []
    for part in 0..<5 {
      let added = (0..<Int.random(in: 0...40, using: &random)).map { number in
        // Few times, so that many fixes share one.
        let time = Int64.random(in: -1..<20, using: &random)
        return PlacedFix(
          order: Int64(part * 100 + number), coordinate: awkwardHomes[0],
          time: time < 0 ? nil : Timestamp(millisecondsSince1970: time), accuracyMeters: nil,
          source: 1, isRemoved: false)
      }
      _ = fixes.add(added)
      for fix in added { if let time = fix.time { known.append((time, fix.order)) } }
      if Bool.random(using: &random) { continue }
      for _ in 0..<5 {
        let first = Int64.random(in: -2..<20, using: &random)
        let last = first + Int64.random(in: 0..<8, using: &random)
        let times =
          Timestamp(millisecondsSince1970: first)...Timestamp(millisecondsSince1970: last)
        let found = fixes.dated(in: times)
        #expect(found.map(\.time) == found.map(\.time).sorted())
        #expect(found.allSatisfy { fixes[Int($0.index)].time == $0.time })
        #expect(
          found.map { fixes[Int($0.index)].order }.sorted()
            == known.filter { times.contains($0.time) }.map(\.order).sorted())
      }
    }
  }

  @Test func `a fix makes a region for the first time once`() {
    var fixes = ReplayedFixes(grid: BlockGrid(searchRadiusMeters: 75))
    let fix = PlacedFix(
      order: 0, coordinate: awkwardHomes[0], time: nil, accuracyMeters: nil, source: 1,
      isRemoved: false)
    _ = fixes.add([fix, fix])
    #expect(fixes.noteMaker(1) && !fixes.noteMaker(1))
    _ = fixes.add([fix])
    #expect(fixes.noteMaker(0) && !fixes.noteMaker(1) && fixes.noteMaker(2))
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
