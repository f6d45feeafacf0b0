import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// The sources of one store added to another, compared with a store that took them itself.
@Suite struct MergeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String) throws -> Store {
    let options = StoreOptions(placeNames: {
      PlaceNames(country: "\($0.latitudeE7 / 1_000_000)", city: "\($0.longitudeE7 / 40_000)")
    })
    return try Store(path: folder.file(name), creating: true, options: options)
  }

  private func tracks(_ count: Int, using random: inout SplitMix64) -> [[KeptFix]] {
    let homes = Array(awkwardHomes.shuffled(using: &random).prefix(2))
    return (0..<count).map { index in
      wanderingTrack(
        count: Int.random(in: 1...90, using: &random), homes: homes,
        strideMeters: [60, 150, 400][index % 3], using: &random)
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `a merged store equals one that took the sources itself`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tracks = tracks(9, using: &random)
    let (one, other, expected) = (try store("a"), try store("b"), try store("c"))
    let own = (0..<9).filter { _ in Bool.random(using: &random) }
    let others = (0..<9).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    let zone = tracks[0].first.map { fix in
      PrivacyZone(center: fix.coordinate, radiusMeters: 300)
    }
    let hasZone = seed % 3 == 0
    for store in [one, expected] {
      for index in own { try store.add(tracks[index], as: "\(index)") }
      if hasZone, let zone { _ = try store.addZone(zone, named: "home") }
    }
    for index in others { try other.add(tracks[index], as: "\(index)") }
    let before = try StoreContents(one)
    let fresh = others.filter { !own.contains($0) }
    for index in fresh { try expected.add(tracks[index], as: "\(index)") }
    let untouched = try StoreContents(other)

    let dry = try one.merge(other, isDryRun: true)
    #expect(try StoreContents(one) == before)
    let report = try one.merge(other)
    #expect(report == dry)
    #expect(report.sourcesAdded == fresh.count)
    #expect(report.sourcesKnown == others.count - fresh.count)
    #expect(try StoreContents(one) == StoreContents(expected))
    let kept = try StoreContents(one).keptFixes.count
    #expect(report.fixesAdded == kept - before.keptFixes.count)
    #expect(try StoreContents(other) == untouched)
    // Merging again adds nothing.
    let again = try one.merge(other)
    #expect(again.sourcesAdded == 0 && again.sourcesKnown == others.count)
    #expect(try one.check().isSound)
  }

  @Test(arguments: Seeds.sample(20))
  func `a zone cuts tracks that were recorded in turns, before a merge as after it`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let (before, after, other) = (try store("a"), try store("b"), try store("c"))
    let tracks = (0..<2).map { _ in
      wanderingTrack(count: 60, homes: [Coordinate(48, 11)], strideMeters: 60, using: &random)
    }
    let recordings = try (0..<2).map { number in
      try other.beginRecording(
        identifier: String(repeating: "\(number)", count: 64), name: "\(number)", format: "live")
    }
    for start in stride(from: 0, to: 60, by: 6) {
      for (recording, track) in zip(recordings, tracks) {
        _ = try recording.append(Array(track[start..<start + 6]), points: 6)
      }
    }
    let zone = PrivacyZone(center: tracks[0][30].coordinate, radiusMeters: 300)
    _ = try before.addZone(zone, named: "home")
    _ = try before.merge(other)
    _ = try after.merge(other)
    _ = try after.addZone(zone, named: "home")
    #expect(try StoreContents(before).keptFixes == StoreContents(after).keptFixes)
    #expect(try before.check().isSound)
  }

  @Test func `zones and settings stay as they are, and nothing is removed`() throws {
    var random = SplitMix64(seed: 2)
    let tracks = tracks(2, using: &random)
    let (one, other) = (try store("a"), try store("b"))
    try one.add(tracks[0], as: "0")
    try other.add(tracks[1], as: "1")
    let fix = try #require(tracks[0].first)
    _ = try other.addZone(
      PrivacyZone(center: fix.coordinate, radiusMeters: 5_000), named: "elsewhere")
    try other.write { try $0.set(.visitGapMinutes, to: 77) }
    _ = try one.merge(other)
    let (zones, gap) = try one.read { snapshot in
      (try snapshot.history.zoneRecords(), snapshot.settings.visitGapMinutes)
    }
    #expect(zones.isEmpty && gap != 77)
    let fixes = try StoreContents(one).keptFixes
    #expect(fixes.prefix(tracks[0].count).elementsEqual(tracks[0]))
  }

  /// A source of which a zone kept something out, until the zone was removed.
  @Test(arguments: [true, false])
  func `a complete source replaces an incomplete one`(isComplete: Bool) throws {
    var random = SplitMix64(seed: 3)
    let tracks = tracks(3, using: &random)
    let (one, other, expected) = (try store("a"), try store("b"), try store("c"))
    let fix = try #require(tracks[0].first)
    _ = try one.addZone(PrivacyZone(center: fix.coordinate, radiusMeters: 200), named: "z")
    try one.add(tracks[0], as: "0")
    _ = try one.removeZone("z")
    try one.add(tracks[1], as: "1")
    let incomplete = try StoreContents(one).keptFixes
    if !isComplete {
      _ = try other.addZone(PrivacyZone(center: fix.coordinate, radiusMeters: 200), named: "z")
    }
    try other.add(tracks[0], as: "0")
    try other.add(tracks[2], as: "2")
    let dry = try one.merge(other, isDryRun: true)
    #expect(try StoreContents(one).keptFixes == incomplete)
    let report = try one.merge(other)
    #expect(report == dry)
    #expect(report.sourcesAdded == (isComplete ? 2 : 1))
    #expect(report.sourcesKnown == (isComplete ? 0 : 1))
    if isComplete {
      try expected.add(tracks[1], as: "1")
      try expected.add(tracks[0], as: "0")
      try expected.add(tracks[2], as: "2")
      #expect(try StoreContents(one).keptFixes == StoreContents(expected).keptFixes)
    } else {
      #expect(try StoreContents(one).keptFixes == incomplete + tracks[2])
    }
    #expect(try one.check().isSound)
    #expect(try one.merge(other).sourcesAdded == 0)
  }

  @Test func `an app merges stores, and may cancel that`() async throws {
    var random = SplitMix64(seed: 4)
    let tracks = tracks(2, using: &random)
    let (one, other) = (try store("a"), try store("b"))
    try one.add(tracks[0], as: "0")
    try other.add(tracks[1], as: "1")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await one.merge(other)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let preview = try await one.merge(other, isDryRun: true)
    #expect(try await one.read { try $0.sources().count } == 1)
    let report = try await one.merge(other)
    #expect(report == preview && report.sourcesAdded == 1)
    #expect(try await one.read { try $0.sources().count } == 2)
  }
}
