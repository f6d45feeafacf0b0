import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Which blocks are read ahead along a track, compared with all fixes in a list.
@Suite struct FollowingFixesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Within this distance a fix is near the one before.
  private static let reachMeters = 300.0
  /// The number of bits of the index of a fix in its chunk, in its place in the order of import.
  private static let indexBits = 16

  /// A track with gaps, and with fixes in flight.
  private func track(
    count: Int, longitudeE7: Int32, using random: inout SplitMix64
  ) -> [KeptFix] {
    var latitude: Int32 = 400_000_000
    return (0..<count).compactMap { index in
      latitude += Int.random(in: 0..<700, using: &random) == 0 ? 90_000 : 5_000
      return Coordinate(latitudeE7: latitude, longitudeE7: longitudeE7).map {
        var fix = KeptFix(
          coordinate: $0, time: nil, accuracyMeters: 5, startsSegment: index == 0)
        fix.isInFlight = index % 90 > 80
        return fix
      }
    }
  }

  /// A store whose sources have chunks that alternate, as if they had been recorded at once.
  private func store(using random: inout SplitMix64) throws -> Store {
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    for number in 0..<2 {
      let fixes = track(
        count: 9_000, longitudeE7: 80_000_000 + Int32(number) * 1_000_000, using: &random)
      try store.add(fixes, as: "\(number)")
    }
    try store.write { session in
      // Chunks 1 to 3 and 4 to 6 become 101, 103, 105 and 102, 104, 106.
      try session.connection.execute(
        "UPDATE kept_fixes SET id = iif(id < 4, 99 + 2 * id, 94 + 2 * id)")
    }
    return store
  }

  /// The fixes of a source with their places in the order of import.
  private func places(
    ofSource source: Int64, _ connection: Connection
  ) throws -> [(order: Int64, fix: KeptFix)] {
    let select = try Statement("SELECT id, source_id FROM kept_fixes ORDER BY id", on: connection)
    var (found, chunk) = ([(order: Int64, fix: KeptFix)](), Int64(0))
    while try select.step() {
      if select.int64(at: 1) == source {
        for (index, fix) in try connection.keptFixes(inChunk: select.int64(at: 0)).enumerated() {
          found.append((chunk << Self.indexBits | Int64(index), fix))
        }
      }
      chunk += 1
    }
    return found
  }

  @Test(arguments: Seeds.sample(12))
  func `the fixes that follow are those of the same source up to a gap`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store(using: &random)
    try store.write { session in
      session.cancel()
      let loader = try FixLoader(
        session.connection, removing: .ofSources([]), reachMeters: Self.reachMeters,
        atMost: 100_000, flightsExplore: seed % 2 == 0)
      let source = try places(ofSource: Int64(seed % 2) + 1, session.connection)
      try #require(source.count == 9_000)
      for _ in 0..<40 {
        let count = [1, 64, 1_024, 5_000].randomElement(using: &random) ?? 1
        // Also near the end of a chunk, and the last fix.
        let start =
          [Int.random(in: 0..<9_000, using: &random), 4_095, 4_090, 8_191, 8_999]
          .randomElement(using: &random) ?? 0
        var expected = FixArea(reachMeters: Self.reachMeters)
        for index in (start + 1)..<max(start + 1, min(9_000, start + 1 + count)) {
          let (before, fix) = (source[index - 1].fix, source[index].fix)
          if before.coordinate.distanceMeters(to: fix.coordinate) > Self.reachMeters { break }
          if fix.isInFlight, seed % 2 == 1 { continue }
          expected.insert(circleAround: fix.coordinate, radiusMeters: Self.reachMeters)
        }
        var area = FixArea(reachMeters: Self.reachMeters)
        // A place that stands for a region that came with a source has no track.
        let orders = [source[start].order, Int64.min + 5, -1]
        try loader.extend(
          &area, along: orders, count: count, radiusMeters: Self.reachMeters)
        #expect(Set(area.takeAdded()) == Set(expected.takeAdded()), "\(count) after \(start)")
      }
    }
  }

  @Test func `fixes that follow several are added once for all`() throws {
    var random = SplitMix64(seed: 3)
    let store = try store(using: &random)
    try store.write { session in
      session.cancel()
      let loader = try FixLoader(
        session.connection, removing: .ofSources([]), reachMeters: Self.reachMeters,
        atMost: 100_000, flightsExplore: true)
      let sources = try [1, 2].map { try places(ofSource: $0, session.connection) }
      for _ in 0..<40 {
        let orders = (0..<30).compactMap { _ in
          sources.randomElement(using: &random)?[..<3_000].randomElement(using: &random)?.order
        }
        var (area, expected) = (
          FixArea(reachMeters: Self.reachMeters), FixArea(reachMeters: Self.reachMeters)
        )
        for order in orders {
          try loader.extend(
            &expected, along: [order], count: 64, radiusMeters: Self.reachMeters)
        }
        try loader.extend(&area, along: orders, count: 64, radiusMeters: Self.reachMeters)
        #expect(Set(area.takeAdded()) == Set(expected.takeAdded()))
      }
    }
  }
}
