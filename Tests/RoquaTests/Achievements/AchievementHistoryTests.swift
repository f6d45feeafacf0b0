import Achievements
import GeoStore
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Achievements after any sequence of imports, recordings, deletions and rebuilds.
@Suite struct AchievementHistoryTests {
  private typealias Tier = AchievementTests.Tier

  /// A tier without its time.
  private struct Key: Hashable {
    let id: String
    let tier: Double
  }

  /// The rules of `docs/achievements.md`, slowly: what any state of the store ever reached, each
  /// with the earliest time.
  private struct SlowUnlocks {
    var times: [Key: Timestamp?] = [:]

    mutating func add(_ tiers: Set<Tier>) {
      for tier in tiers {
        let key = Key(id: tier.id, tier: tier.tier)
        let before = times[key] ?? nil
        times[key] = .some([before, tier.time].compactMap(\.self).min())
      }
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `each tier that was ever reached is given once, with its earliest time`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let fixture = try Fixture()
    let explorer = fixture.explorer
    let paths = try AchievementTests.writeTracks(fixture.folder, seed: seed)
    var slow = SlowUnlocks()
    var present: [Int: StoredSource.ID] = [:]
    var given: [Key] = []
    func note(_ unlocks: [AchievementUnlock]) {
      given += unlocks.map { Key(id: $0.achievementID, tier: $0.tier) }
    }

    for _ in 0..<12 {
      let index = Int.random(in: paths.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        if let source = present.removeValue(forKey: index) {
          _ = try explorer.forget(sources: [String(source)])
        }
      case 1: _ = try await explorer.rebuild()
      case 2 where present[index] == nil && index != 3:
        let (source, unlocks) = try await record(paths[index], into: explorer)
        present[index] = source
        note(unlocks)
      default:
        guard present[index] == nil else { continue }
        note(try explorer.importTracks([paths[index]]).newlyUnlocked)
        present[index] = try await explorer.sources().map(\.id).max()
      }
      let report = try await explorer.achievements(AchievementTests.catalog)
      note(report.newlyUnlocked)
      let fresh = try Fixture()
      _ = try fresh.explorer.importTracks(present.keys.sorted().map { paths[$0] })
      let expected = try await fresh.explorer.achievements(AchievementTests.catalog)
      for (left, right) in zip(report.items, expected.items) {
        let (value, other) = (left.value ?? 0, right.value ?? 0)
        #expect(isClose(value, other), "\(left.id) is \(value) instead of \(other)")
      }
      slow.add(AchievementTests.tiers(expected))
      let times = Dictionary(
        uniqueKeysWithValues: AchievementTests.tiers(report).map {
          (Key(id: $0.id, tier: $0.tier), $0.time)
        })
      #expect(times == slow.times)
      #expect(Set(given) == Set(times.keys))
      #expect(Set(given).count == given.count, "a tier was given twice")
    }
  }

  /// Records the fixes of a file; returns the source and what the events report.
  private func record(
    _ path: String, into explorer: Explorer
  ) async throws -> (source: StoredSource.ID, unlocks: [AchievementUnlock]) {
    let recording = try await explorer.startRecording(named: "r", minimumIntervalSeconds: 0)
    var unlocks: [AchievementUnlock] = []
    func take(_ events: [ExplorationEvent]) {
      for case .achievementUnlocked(let unlock) in events { unlocks.append(unlock) }
    }
    for fix in try LiveAchievementTests.fixes(ofFile: path) {
      take(try await recording.add(fix).events)
    }
    take(try await recording.end().change.events)
    return (recording.sourceID, unlocks)
  }
}
