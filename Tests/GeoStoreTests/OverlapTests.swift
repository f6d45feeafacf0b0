import Geodesy
import TestSupport
import Testing

@testable import GeoStore

/// Sources that cover the same time, compared with a scan of every second.
@Suite struct OverlapTests {
  private let folder: TemporaryFolder
  private let store: Store
  private static let start: Int64 = 1_700_000_000
  /// The longest gap in the seconds of these tests: two minutes.
  private static let gap: Int64 = 120

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file("store.sqlite"), creating: true)
    try store.write { session in try session.set(.visitGapMinutes, to: 2) }
  }

  @discardableResult
  private func add(_ fixes: [KeptFix], as name: String) throws -> [KeptFix] {
    try store.write { session in
      let writer = try session.beginSource()
      try writer.append(fixes)
      _ = try writer.finish(.sample(name, of: fixes))
    }
    return fixes
  }

  /// Fixes at some seconds after the start; every second is 0.0001° further north.
  private func fixes(_ seconds: [Int64], eastDegrees: Double = 0) -> [KeptFix] {
    seconds.map { second in
      KeptFix(
        coordinate: Coordinate(48 + Double(second) * 0.000_01, 8 + eastDegrees),
        time: Timestamp(millisecondsSince1970: (Self.start + second) * 1_000),
        accuracyMeters: nil, startsSegment: false)
    }
  }

  /// The name of a source of these tests.
  private func name(_ member: SourceOverlap.Member) -> String { String(member.path.dropLast(4)) }

  private func overlaps() throws -> SourceOverlaps { try store.read { try $0.overlaps() } }

  /// The seconds that fixes cover, one by one.
  private static func covered(_ fixes: [KeptFix]) -> Set<Int64> {
    let times = fixes.compactMap { $0.time.map { $0.millisecondsSince1970 / 1_000 } }.sorted()
    var seconds: Set<Int64> = []
    for (one, next) in zip(times, times.dropFirst()) where next - one <= gap {
      seconds.formUnion(one..<next)
    }
    return seconds
  }

  @Test(arguments: Seeds.sample(30))
  func `overlaps are those that a scan of every second finds`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var sources: [[KeptFix]] = []
    for name in 0..<Int.random(in: 2...9, using: &random) {
      var second = Int64.random(in: 0...2_000, using: &random)
      var seconds: [Int64] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        second += Int64.random(in: 0...(seed % 2 == 0 ? 160 : 110), using: &random)
        seconds.append(second)
      }
      // Times in any order, and fixes without one.
      if seed % 3 == 0 { seconds.shuffle(using: &random) }
      var fixes = fixes(seconds)
      for index in fixes.indices where Int.random(in: 0..<12, using: &random) == 0 {
        fixes[index].time = nil
      }
      sources.append(try add(fixes, as: "\(name)"))
    }
    let seconds = sources.map(Self.covered)
    var expected: [[Int64]: (seconds: Int, share: Double)] = [:]
    for one in sources.indices {
      for other in sources.indices where one < other {
        let shared = seconds[one].intersection(seconds[other]).count
        guard shared > 0 else { continue }
        let shorter = min(seconds[one].count, seconds[other].count)
        expected[[Int64(one), Int64(other)]] = (shared, Double(shared) / Double(shorter))
      }
    }
    let found = try overlaps()
    #expect(found.isComplete)
    #expect(found.list.map(\.seconds) == found.list.map(\.seconds).sorted(by: >))
    var pairs: Set<[Int64]> = []
    for overlap in found.list {
      let pair = [Int64(name(overlap.first)) ?? -1, Int64(name(overlap.second)) ?? -1]
      #expect(pairs.insert(pair).inserted)
      #expect(overlap.seconds == expected[pair].map { Double($0.seconds) })
      #expect(overlap.share == expected[pair]?.share)
    }
    #expect(pairs == Set(expected.keys))
    // Those of one source are those of all in which it occurs.
    for source in try store.read({ try $0.sources() }) {
      let own = try store.read { try $0.overlaps(of: [source.id]) }
      #expect(
        own.list == found.list.filter { $0.first.id == source.id || $0.second.id == source.id })
    }
  }

  @Test func `two recordings of a trip are in the same place, two devices apart are not`() throws {
    try add(fixes([0, 10, 20, 50, 100, 200]), as: "watch")
    // 0.001° of longitude are 75 m here, and 0.01° are 750 m.
    try add(fixes([5, 60, 110, 190, 230], eastDegrees: 0.001), as: "phone")
    try add(fixes([0, 100, 200], eastDegrees: 0.01), as: "other")
    let list = try overlaps().list
    #expect(
      list.map { [name($0.first), name($0.second)] } == [
        ["watch", "other"], ["watch", "phone"], ["phone", "other"],
      ])
    #expect(list.map(\.seconds) == [200, 195, 195])
    #expect(list.map(\.sharedPlace) == [0, 1, 0])
  }

  @Test func `the shared place is a share of the shared time`() throws {
    try add(fixes([0, 100]), as: "straight")
    // After 25 of 100 seconds it leaves at once, for a place that is far away.
    var leaving = fixes([0, 25, 26, 100])
    for index in [2, 3] { leaving[index].coordinate = Coordinate(50, 8) }
    try add(leaving, as: "leaving")
    let share = try #require(try overlaps().list.first).sharedPlace
    #expect(share == 0.25)
  }

  @Test func `positions across 180° are near each other`() throws {
    func line(_ west: Double, _ east: Double) -> [KeptFix] {
      zip([Int64(0), 100], [west, east]).map { second, longitude in
        KeptFix(
          coordinate: Coordinate(0, longitude),
          time: Timestamp(millisecondsSince1970: (Self.start + second) * 1_000),
          accuracyMeters: nil, startsSegment: false)
      }
    }
    try add(line(179.99, -179.99), as: "one")
    try add(line(179.990_1, -179.989_9), as: "other")
    #expect(try overlaps().list.map(\.sharedPlace) == [1])
  }

  @Test func `a source with thousands of chunks is read once, whatever the order of its times`()
    throws
  {
    let count = Int64(3 * FixChunk.capacity)
    var random = SplitMix64(seed: 5)
    try add(fixes(Array(0..<count)), as: "long")
    try add(fixes((0..<count).shuffled(using: &random)), as: "shuffled")
    try add(fixes([10, 100, count / 2, count / 2 + 90]), as: "short")
    let list = try overlaps().list
    #expect(list.map(\.seconds) == [Double(count - 1), 180, 180])
    #expect(list.map(\.sharedPlace) == [1, 1, 1])
  }

  @Test func `sources beyond the limit are left out, and the list says so`() throws {
    try add(fixes([0, 10, 20, 30]), as: "one")
    try add(fixes([0, 10, 20]), as: "two")
    try add(fixes([0, 10]), as: "three")
    let all = try store.read { try $0.overlaps(of: [3], readingAtMost: 7) }
    #expect(all.isComplete)
    #expect(
      all.list.map { [name($0.first), name($0.second)] } == [["one", "three"], ["two", "three"]])
    let some = try store.read { try $0.overlaps(of: [3], readingAtMost: 6) }
    #expect(!some.isComplete)
    #expect(some.list.map { [name($0.first), name($0.second)] } == [["one", "three"]])
  }

  @Test func `more pairs than the limit are cut, and the list says so`() {
    let runs = (0..<400).map { OverlapSweep.Run(source: $0, start: 0, end: 10) }
    let sweep = OverlapSweep(runs) { _ in true }
    #expect(!sweep.isComplete)
    #expect(sweep.milliseconds.count == OverlapSweep.pairsAtMost)
    #expect(sweep.milliseconds.values.allSatisfy { $0 == 10 })
  }

  @Test func `nothing of a forgotten source remains in the overlaps`() throws {
    try add(fixes([0, 10, 20, 30]), as: "one")
    try add(fixes([0, 10, 20]), as: "two")
    _ = try store.forget(sources: ["two.gpx"])
    #expect(try overlaps() == SourceOverlaps())
  }
}
