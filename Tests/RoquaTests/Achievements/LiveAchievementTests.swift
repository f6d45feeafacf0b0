import Achievements
import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Achievements of recordings: those of an import of the same fixes, and their progress.
@Suite struct LiveAchievementTests {
  private typealias Tier = AchievementTests.Tier

  /// The points of a GPX file, in order.
  static func fixes(ofFile path: String) throws -> [Fix] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "<trkpt ").dropFirst().compactMap { point in
      func value(_ start: String, _ end: String) -> Substring? {
        guard let from = point.range(of: start)?.upperBound,
          let to = point[from...].range(of: end)?.lowerBound
        else { return nil }
        return point[from..<to]
      }
      guard let latitude = value("lat=\"", "\"").flatMap({ Double($0) }),
        let longitude = value("lon=\"", "\"").flatMap({ Double($0) })
      else { return nil }
      return Fix(
        coordinate: Coordinate(latitude, longitude),
        time: value("<time>", "<").flatMap { Timestamp(iso8601: String($0)) },
        elevationMeters: value("<ele>", "<").flatMap { Double($0) })
    }
  }

  /// Days of walks and drives in several countries with climbs, rests and gaps, and flights between
  /// them for odd seeds, as the segments of one track.
  private static func journey(seed: UInt64) -> [[WalkPoint]] {
    var random = SplitMix64(seed: seed)
    let starts: [(Double, Double)] = [
      (48.56, 7.80), (41.68, 26.55), (47.60, 9.00), (64.1, -21.9), (36.4, 28.2), (48.57, 7.75),
    ]
    var segments: [[WalkPoint]] = []
    var seconds = 1_600_000_000 + Double.random(in: 0...5e6, using: &random)
    for day in 0..<6 {
      var (latitude, longitude) = starts.randomElement(using: &random) ?? (48.0, 8.0)
      var height = Double.random(in: -80...900, using: &random)
      var heading = Double.random(in: 0...6.28, using: &random)
      seconds += Double.random(in: 20_000...400_000, using: &random)
      var segment: [WalkPoint] = []
      let speed: Double = [1.2, 4.5, 25.0].randomElement(using: &random) ?? 1
      for point in 0..<Int.random(in: 30...70, using: &random) {
        // An hour in the air.
        let flies = seed % 2 == 1 && day == 2 && point > 10 && point < 40
        let step = Double.random(in: 20...90, using: &random)
        let meters: Double = (flies ? 220 : speed) * step
        heading += Double.random(in: -0.3...0.3, using: &random)
        latitude += meters * cos(heading) / 111_195
        longitude += meters * sin(heading) / (111_195 * cos(latitude * .pi / 180))
        height += flies ? 80 : Double.random(in: -10...40, using: &random)
        seconds += step
        if Int.random(in: 0..<40, using: &random) == 0 { seconds += 4_000 }
        segment.append(
          WalkPoint(
            coordinate: Coordinate(latitude, longitude),
            time: Timestamp(millisecondsSince1970: Int64(seconds) * 1_000),
            accuracyMeters: 5, elevationMeters: height))
      }
      segments.append(segment)
    }
    return segments
  }

  @Test(arguments: Seeds.sample(8))
  func `a track fed live and its file imported give the same tiers at the same times`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let (live, imported) = (try Fixture(), try Fixture())
    let segments = Self.journey(seed: seed)
    let file = try imported.folder.write(Walks.gpx(segments), to: "a.gpx")
    _ = try imported.explorer.importTracks([file])
    let expected = try await imported.explorer.achievements(AchievementTests.catalog)

    let recording = try await live.explorer.startRecording(named: "a", minimumIntervalSeconds: 0)
    var unlocks: [AchievementUnlock] = []
    func take(_ events: [ExplorationEvent]) {
      for case .achievementUnlocked(let unlock) in events { unlocks.append(unlock) }
    }
    // Fix by fix, or several at once.
    let isSingle = seed % 4 < 2
    for (number, segment) in segments.enumerated() {
      if number > 0 { take(try await recording.endSegment().events) }
      var rest = segment.map { Fix($0) }[...]
      while !rest.isEmpty {
        let count = isSingle ? 1 : Int.random(in: 1...5, using: &random)
        take(try await recording.add(Array(rest.prefix(count))).events)
        rest = rest.dropFirst(count)
      }
    }
    take(try await recording.end().change.events)
    let found = try await live.explorer.achievements(AchievementTests.catalog)
    let (wanted, tiers) = (AchievementTests.tiers(expected), AchievementTests.tiers(found))
    #expect(tiers.symmetricDifference(wanted) == [] && wanted.count > 20)
    for (left, right) in zip(found.items, expected.items) {
      #expect(isClose(left.value ?? 0, right.value ?? 0), "\(left.id)")
    }
    // The events had them all, each once and with its time; area that several fixes explored, or
    // of a track with a flight, gets its time later.
    let events = unlocks + found.newlyUnlocked
    #expect(events.count == wanted.count)
    for unlock in unlocks {
      let tier = Tier(id: unlock.achievementID, tier: unlock.tier, time: unlock.time)
      let hasLaterTime = unlock.achievementID == "explored-area" && unlock.time == nil
      #expect(wanted.contains(tier) || hasLaterTime, "\(tier)")
    }
    let early = unlocks.filter { $0.achievementID == "explored-area" && $0.time != nil }
    if seed % 4 == 0 { #expect(!early.isEmpty && found.newlyUnlocked.isEmpty) }
  }

  @Test(arguments: Seeds.sample(3))
  func `each step of an achievement is reported once, and none with an unlock`(
    seed: UInt64
  ) async throws {
    let fixture = try Fixture()
    let recording = try await fixture.explorer.startRecording(
      named: "a", minimumIntervalSeconds: 0)
    var last: [String: AchievementProgress] = [:]
    var count = 0
    for point in Self.journey(seed: 2 * seed).joined() {
      let events = try await recording.add(Fix(point)).events
      let unlocked = events.compactMap { event in
        if case .achievementUnlocked(let unlock) = event { unlock.achievementID } else { nil }
      }
      let progress = events.compactMap { event in
        if case .achievementProgressed(let progress) = event { progress } else { nil }
      }
      #expect(Set(progress.map(\.achievementID)).count == progress.count)
      #expect(Set(progress.map(\.achievementID)).isDisjoint(with: unlocked))
      count += progress.count
      for step in progress {
        let achievement = try #require(AchievementCatalog.bundled[step.achievementID])
        #expect(achievement.tiers.contains(step.nextTier) && step.value < step.nextTier)
        if let before = last[step.achievementID], before.nextTier == step.nextTier {
          let isCounted = [.count, .days].contains(achievement.metric.unit)
          let unit = isCounted ? 1 : step.nextTier / 100
          #expect((step.value / unit).rounded(.down) > (before.value / unit).rounded(.down))
        }
        last[step.achievementID] = step
      }
    }
    try await recording.finish()
    #expect(count > 100)
    let report = try await fixture.explorer.achievements(AchievementTests.catalog)
    for (id, step) in last {
      let item = try #require(report.items.first { $0.id == id })
      #expect(step.value <= (item.value ?? 0) + 1e-9, "\(id)")
    }
  }
}
