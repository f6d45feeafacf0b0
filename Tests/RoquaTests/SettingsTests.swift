import GeoStore
import Geodesy
import Session
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Settings in an app: observed, previewed, and followed by recordings.
@Suite(.timeLimit(.minutes(60))) struct SettingsTests {
  private let fixture: Fixture
  private var explorer: Explorer { fixture.explorer }

  init() throws { fixture = try Fixture() }

  /// A walk north with a fix every 20 m and 10 s, some of them inaccurate.
  private func walk(_ random: inout SplitMix64, count: Int) -> [Fix] {
    (0..<count).map { index in
      let point = Walks.point(meters: Double(index) * 20, seconds: Double(index) * 10)
      return Fix(
        coordinate: point.coordinate, time: point.time,
        horizontalAccuracyMeters: .random(in: 5...90, using: &random))
    }
  }

  @Test(arguments: Seeds.sample(6))
  func `a recording applies changed settings from the next fix on, whoever changed them`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let other = try Explorer(storePath: explorer.store.path)
    let recording = try await explorer.startRecording(named: "walk", minimumIntervalSeconds: 0)
    // The filter alone is the oracle.
    var settings = FilterSettings()
    var filter = FixFilter(settings: settings)
    var (verdicts, expected): ([Verdict], [Verdict]) = ([], [])
    for (index, fix) in walk(&random, count: 150).enumerated() {
      if Int.random(in: 0..<8, using: &random) == 0 {
        settings.maximumAccuracyMeters = Double(Int.random(in: 10...90, using: &random))
        settings.trackingDistanceMeters = Double(Int.random(in: 10...90, using: &random))
        let new = settings
        try await (Bool.random(using: &random) ? explorer : other).changeSettings {
          $0.maximumAccuracyMeters = new.maximumAccuracyMeters
          $0.trackingDistanceMeters = new.trackingDistanceMeters
        }
        filter.changeSettings(to: settings)
        if Bool.random(using: &random) {
          #expect(await recording.state.rules.filter == settings, "without waiting for a fix")
        }
      }
      filter.push(fix, startsSegment: index == 0) { expected.append($1) }
      verdicts += try await recording.add(fix).verdicts.map(\.verdict)
    }
    filter.finish { expected.append($1) }
    verdicts += try await recording.endSegment().verdicts.map(\.verdict)
    #expect(verdicts == expected)
    let report = try await recording.finish()
    #expect(report.kept == expected.count { $0 == .kept } && report.dropped[.inaccurate] > 0)
    #expect(try await explorer.check().isSound)
  }

  @Test func `the interval of a recording follows the setting, and returns to 5 s with it`()
    async throws
  {
    let recording = try await explorer.startRecording(named: "a")
    func interval() async -> Double { await recording.state.rules.filter.minimumIntervalSeconds }
    #expect(await interval() == 5)
    try explorer.set(.minimumIntervalSeconds, to: 20)
    #expect(await interval() == 20)
    try explorer.set(.minimumIntervalSeconds, to: 0)
    #expect(await interval() == 0)
    try explorer.reset(.minimumIntervalSeconds)
    #expect(await interval() == 5)
    // A rebuild in the middle of a recording.
    var random = SplitMix64(seed: 1)
    for (index, fix) in walk(&random, count: 60).enumerated() {
      if index == 30 { try explorer.set(.explorationRadiusMeters, to: 300) }
      _ = try await recording.add(fix)
    }
    try explorer.set(.maximumAccuracyMeters, to: 10)
    #expect(await recording.state.rules.filter.maximumAccuracyMeters == 10)
    try await recording.finish()
    try explorer.set(.maximumAccuracyMeters, to: 12)
    #expect(await recording.state.rules.filter.maximumAccuracyMeters == 10)
    let check = try await explorer.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test func `an app observes settings with any number of listeners, and async`() async throws {
    var listeners = (0..<2).map { _ in explorer.settingsChanges.makeAsyncIterator() }
    let impact = try await explorer.changeSettings {
      $0.units = .imperial
      $0.maximumAccuracyMeters = 30
    }
    for index in listeners.indices {
      let change = try #require(await listeners[index].next())
      #expect(change == impact.change && change.after.units == .imperial)
      #expect(change.keys == [.units, .maximumAccuracyMeters])
    }
    let preview = try await explorer.previewSettings { $0.reset(.units) }
    #expect(preview.change.keys == [.units] && !preview.isRebuild)
    #expect(try await explorer.settings().units == .imperial)
  }

  @Test func `a looser limit keeps at most the points that the preview says were dropped`()
    async throws
  {
    let report = try explorer.importTracks(Fixture.townSamples)
    let recording = try await explorer.startRecording(named: "a", minimumIntervalSeconds: 0)
    var random = SplitMix64(seed: 5)
    for fix in walk(&random, count: 80) { _ = try await recording.add(fix) }
    let recorded = try await recording.finish()
    let looser: [(SettingKey, Double, DropReason)] = [
      (.trackingDistanceMeters, 5, .tooClose), (.maximumAccuracyMeters, 500, .inaccurate),
      (.maximumSpeedMetersPerSecond, 10_000, .implausible),
    ]
    for (key, value, reason) in looser {
      let impact = try await explorer.previewSettings { try? $0.set(key, to: value) }
      let limit = try #require(impact.filterLimits.first)
      let dropped = report.files.reduce(recorded.dropped[reason]) { $0 + $1.track.dropped[reason] }
      #expect(impact.filterLimits.count == 1 && limit.key == key && limit.dropped == dropped)
      #expect(limit.isLooser && !limit.isStricter && !impact.isRebuild)
    }
    // Nothing changes until the sources are forgotten and imported again.
    let before = try explorer.contents()
    let impact = try explorer.set(.trackingDistanceMeters, to: 5)
    #expect(try explorer.contents() == before)
    #expect(try explorer.importTracks(Fixture.townSamples).count(.duplicate) == 2)
    _ = try await explorer.forget(sources: [1, 2])
    let again = try explorer.importTracks(Fixture.townSamples)
    let droppedOfFiles = impact.filterLimits[0].dropped - recorded.dropped[.tooClose]
    #expect(again.kept > report.kept && again.kept - report.kept <= droppedOfFiles)
  }

  @Test func `a report that says nothing about dropped points counts none`() {
    for report in ["", "{}", "[]", "{\"dropped\":3}", "{\"dropped\":{\"tooClose\":-1}}"] {
      #expect(TrackReport.droppedPoints(inReport: report) == [:])
    }
    let report = "{\"dropped\":{\"tooClose\":3,\"tooSoon\":0,\"privacyZone\":7,\"implausible\":2}}"
    #expect(
      TrackReport.droppedPoints(inReport: report)
        == [
          .trackingDistanceMeters: 3, .minimumIntervalSeconds: 0, .maximumSpeedMetersPerSecond: 2,
        ])
  }
}
