import Achievements
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// Evaluations while other connections change the store between reading and storing.
@Suite struct AchievementRaceTests {
  private typealias Tier = AchievementTests.Tier

  private let fixture: Fixture
  private let paths: [String]
  /// A second connection to the store, like that of another process.
  private let other: Explorer

  init() throws {
    fixture = try Fixture()
    paths = try AchievementTests.writeTracks(fixture.folder, seed: 3)
    other = try Explorer(storePath: fixture.folder.file("s.sqlite"))
    // Import without an update of the achievements.
    for path in paths.dropLast() { try fixture.importWithoutAchievements(path) }
  }

  private func evaluate(
    beforeStoring: () throws -> Void
  ) throws -> (evaluation: AchievementEvaluation, report: AchievementReport) {
    try #require(
      try fixture.explorer.evaluate(
        AchievementEvaluation(catalog: AchievementTests.catalog), isCheap: false,
        beforeStoring: beforeStoring))
  }

  /// The achievements of a new store with some of the tracks.
  private func expected(_ paths: [String]) throws -> AchievementReport {
    let fresh = try Fixture()
    _ = try fresh.explorer.importTracks(paths)
    return try fresh.explorer.achievements(AchievementTests.catalog)
  }

  @Test func `data that is forgotten meanwhile is not stored as progress`() throws {
    var rounds = 0
    let (_, report) = try evaluate {
      rounds += 1
      if rounds == 1 { _ = try other.forget(sources: ["1", "3"]) }
    }
    #expect(rounds == 2)
    let left = try expected([1, 3, 4, 5].map { paths[$0] })
    #expect(report.items.map(\.value) == left.items.map(\.value))
    #expect(AchievementTests.tiers(report) == AchievementTests.tiers(left))
    let (state, content) = try fixture.explorer.read {
      (try $0.achievementState(), try $0.content())
    }
    #expect(state?.content == content)
    #expect(try other.achievements(AchievementTests.catalog).newlyUnlocked.isEmpty)
  }

  @Test func `if data is forgotten each time, nothing is stored, and nothing is lost`() throws {
    var rounds = 0
    let (_, report) = try evaluate {
      rounds += 1
      _ = try other.forget(sources: [String(rounds)])
    }
    #expect(rounds == Explorer.mostEvaluations)
    #expect(report.newlyUnlocked.isEmpty)
    let stored = try other.read { (try $0.achievementRows(), try $0.achievementState()) }
    #expect(stored.0.isEmpty && stored.1 == nil)
    let left = try expected(Array(paths[3..<6]))
    let later = try other.achievements(AchievementTests.catalog)
    #expect(AchievementTests.tiers(later) == AchievementTests.tiers(left))
    #expect(later.newlyUnlocked.count == AchievementTests.tiers(left).count)
  }

  @Test func `tracks that are only added meanwhile do not make an evaluation outdated`() throws {
    var rounds = 0
    let (_, report) = try evaluate {
      rounds += 1
      try fixture.importWithoutAchievements(paths[6])
    }
    #expect(rounds == 1 && !report.newlyUnlocked.isEmpty)
    let all = try expected(paths)
    let later = try other.achievements(AchievementTests.catalog)
    #expect(AchievementTests.tiers(later) == AchievementTests.tiers(all))
    #expect(
      report.newlyUnlocked.count + later.newlyUnlocked.count == AchievementTests.tiers(all).count)
  }

  @Test func `two evaluations at the same time give each tier once`() throws {
    var given: [AchievementUnlock] = []
    var rounds = 0
    let (_, report) = try evaluate {
      rounds += 1
      if rounds == 1 {
        given += try other.achievements(AchievementTests.catalog).newlyUnlocked
      }
    }
    #expect(rounds == 2 && !given.isEmpty && report.newlyUnlocked.isEmpty)
    #expect(AchievementTests.tiers(report).count == given.count)
  }

  @Test func `fixes that become part of a flight make an evaluation outdated`() throws {
    let writer = try other.store.beginRecording(
      identifier: String(repeating: "a", count: 64), name: "r", format: "recording")
    let fix = KeptFix(
      coordinate: Coordinate(50, 10), time: Timestamp(millisecondsSince1970: 1_800_000_000_000),
      accuracyMeters: 5, startsSegment: true)
    _ = try writer.append([fix], points: 1)
    var rounds = 0
    let (_, report) = try evaluate {
      rounds += 1
      guard rounds == 1 else { return }
      let marks = try writer.mark([
        FlightMark(
          coordinate: fix.coordinate, time: fix.time, isInFlight: true, endsFlightLeg: false)
      ])
      #expect(marks.before != marks.after)
    }
    #expect(rounds == 2)
    let left = try expected(Array(paths[..<6]))
    #expect(AchievementTests.tiers(report) == AchievementTests.tiers(left))
  }

  @Test func `a recording learns that data was forgotten`() async throws {
    let fixture = try Fixture()
    // 9.7 km in one track; a recording needs 0.3 km more for the tier of 10 km.
    let walk = (0..<98).map { Walks.point(meters: 100 * Double($0), seconds: 60 * Double($0)) }
    let file = try fixture.folder.write(Walks.gpx([walk]), to: "a.gpx")
    let before = try fixture.explorer.importTracks([file]).newlyUnlocked
    #expect(!before.contains { $0.achievementID == "distance" })
    let recording = try await fixture.explorer.startRecording(
      named: "r", minimumIntervalSeconds: 0)
    var unlocks: [AchievementUnlock] = []
    for step in 0..<140 {
      if step == 2 { _ = try fixture.explorer.forget(sources: ["1"]) }
      let point = Walks.point(meters: 100 * Double(step), seconds: 86_400 + 60 * Double(step))
      for event in try await recording.add(Fix(point)).events {
        if case .achievementUnlocked(let unlock) = event { unlocks.append(unlock) }
      }
    }
    try await recording.finish()
    let ten = unlocks.filter { $0.achievementID == "distance" && $0.tier == 10 }
    let report = try await fixture.explorer.achievements(AchievementTests.catalog)
    let distance = try #require(report.items.first { $0.id == "distance" })
    #expect(ten == distance.unlocks.filter { $0.tier == 10 })
    let seconds = ten.first?.time?.millisecondsSince1970
    let start = Walks.point(meters: 0, seconds: 86_400).time?.millisecondsSince1970 ?? 0
    #expect(seconds.map { ($0 - start) / 60_000 }.map { (100...101).contains($0) } == true)
  }
}

extension Fixture {
  /// Imports a track into the store without evaluating achievements.
  func importWithoutAchievements(_ path: String) throws {
    var importer = Importer(
      store: explorer.store, filter: try explorer.filterSettings(), options: ImportOptions(),
      now: explorer.store.options.now(), grid: try explorer.read { $0.settings.grid })
    let report = importer.run([path])
    #expect(report.count(.imported) == 1)
  }
}
