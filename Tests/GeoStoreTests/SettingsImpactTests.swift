import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// What a change of settings says that it rebuilds, compared with what it does.
@Suite struct SettingsImpactTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with tracks, of which parts are in flight, and with adopted regions.
  private func store(_ random: inout SplitMix64) throws -> Store {
    var options = StoreOptions()
    // `2 5` are two points that were too close and five that were inaccurate.
    options.droppedPoints = { report in
      let counts = report.split(separator: " ").compactMap { Int($0) }
      guard counts.count == 2 else { return [:] }
      return [.trackingDistanceMeters: counts[0], .maximumAccuracyMeters: counts[1]]
    }
    let path = folder.file("\(random.next()).sqlite")
    let store = try Store(path: path, creating: true, options: options)
    let homes = Array(awkwardHomes.prefix(2))
    for name in ["a", "b", "c"] {
      var track = wanderingTrack(count: 120, homes: homes, using: &random)
      for index in 40..<60 { track[index].isInFlight = true }
      try store.write { session in
        let writer = try session.beginSource()
        try writer.append(track)
        var source = SourceDescription.sample(name, of: track)
        source.report = name == "c" ? "{}" : "2 5"
        _ = try writer.finish(source)
      }
    }
    var region = SourceRegion(
      center: homes[0].randomNeighbor(within: 200, using: &random), original: "{}")
    region.visitCount = 3
    try store.add(regions: [region], as: "regions")
    return store
  }

  /// The derived data of a store, each as a text that says everything about it.
  private func derived(_ store: Store) throws -> [DerivedData: [String]] {
    let contents = try StoreContents(store)
    return [
      .regions: contents.regions.map {
        "\($0.coordinate) \($0.radiusMeters) \($0.place) \(String(describing: $0.accuracyMeters))"
      },
      .visits: contents.regions.map {
        "\($0.visitCount) \([$0.start, $0.end]) \($0.visits)"
      },
      .coverage: ["\(contents.coverage.serialized())"],
    ]
  }

  private func size(_ store: Store) throws -> [Int] {
    let contents = try StoreContents(store)
    let visits = contents.regions.reduce(0) { $0 + $1.visitCount }
    return [contents.regions.count, visits, contents.coverage.count]
  }

  private func numbers(_ size: MaintenanceReport.Size?) -> [Int]? {
    size.map { [$0.visitedRegions, $0.visits, $0.cells] }
  }

  /// A value that a person could set.
  private func value(of key: SettingKey, using random: inout SplitMix64) -> Double {
    switch key {
    case .explorationRadiusMeters: Double(Int.random(in: 100...300, using: &random))
    case .clusteringRadiusMeters: .random(in: 30...300, using: &random)
    case .visitGapMinutes: .random(in: 0...3, using: &random)
    case .flightsExplore, .units: Double(Int.random(in: 0...1, using: &random))
    case .colorTheme, .colorScheme, .percentageDecimals:
      Double(Int.random(in: 0...2, using: &random))
    case .maximumAccuracyMeters, .trackingDistanceMeters, .minimumIntervalSeconds,
      .maximumSpeedMetersPerSecond:
      .random(in: 1...100, using: &random)
    }
  }

  @Test(arguments: Seeds.sample(12))
  func `a change does what its preview said, and changes no other derived data`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let store = try store(&random)
    for _ in 0..<4 {
      let count = Int.random(in: 1...3, using: &random)
      let keys = SettingKey.allCases.shuffled(using: &random).prefix(count)
      var new = try store.read { $0.settings }
      for key in keys {
        if Int.random(in: 0..<5, using: &random) == 0 {
          new.reset(key)
        } else {
          try new.set(key, to: value(of: key, using: &random))
        }
      }
      let (before, sizeBefore) = (try derived(store), try size(store))
      let fixes = try StoreContents(store).keptFixes
      let preview = try store.impact { $0 = new }
      #expect(try derived(store) == before, "a preview changes nothing")
      var impact = try store.write { try $0.change(to: new) }
      let after = try derived(store)
      let changed = Set(DerivedData.allCases.filter { before[$0] != after[$0] })
      #expect(changed.isSubset(of: impact.affected), "\(impact.change.keys)")
      #expect(impact.isRebuild == !impact.affected.isEmpty)
      #expect(numbers(impact.sizeBefore) == (impact.isRebuild ? sizeBefore : nil))
      #expect(try numbers(impact.sizeAfter) == (impact.isRebuild ? size(store) : nil))
      #expect(impact.keptFixes == fixes.count && impact.sources == 4)
      #expect(
        impact.fixesInFlight
          == (impact.change.keys.contains(.flightsExplore)
            && impact.change.before.flightsExplore != impact.change.after.flightsExplore
            ? fixes.count(where: \.isInFlight) : nil))
      impact.sizeAfter = nil
      #expect(preview == impact)
      #expect(try store.read { $0.settings } == new)
      #expect(try StoreContents(store).keptFixes == fixes)
    }
    let check = try store.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test(arguments: SettingKey.allCases)
  func `derived data that are said to depend on a setting do depend on it`(key: SettingKey) throws {
    var changed: Set<DerivedData> = []
    for seed in UInt64(1)...4 {
      var random = SplitMix64(seed: seed)
      let store = try store(&random)
      let before = try derived(store)
      var value = value(of: key, using: &random)
      if value == key.defaultValue { value += key == .flightsExplore ? 1 : 0 }
      try store.write { session in try session.set(key, to: value) }
      let after = try derived(store)
      changed.formUnion(DerivedData.allCases.filter { before[$0] != after[$0] })
    }
    #expect(changed == key.derivedData)
  }

  @Test func `a limit of the filter says whether it is looser, and how much was dropped`() throws {
    var random = SplitMix64(seed: 1)
    let store = try store(&random)
    func limits(_ change: (inout StoreSettings) -> Void) throws -> [SettingsImpact.FilterLimit] {
      let impact = try store.impact(ofChangingSettings: change)
      #expect(!impact.isRebuild && impact.sizeBefore == nil)
      return impact.filterLimits
    }
    // Whether more fixes pass with the value than with the default.
    for (key, value, isLooser) in [
      (SettingKey.maximumAccuracyMeters, 60.0, true), (.maximumAccuracyMeters, 40, false),
      (.trackingDistanceMeters, 40, true), (.trackingDistanceMeters, 60, false),
      (.minimumIntervalSeconds, 1, false), (.maximumSpeedMetersPerSecond, 400, true),
      (.maximumSpeedMetersPerSecond, 300, false),
    ] {
      let dropped = [SettingKey.maximumAccuracyMeters: 10, .trackingDistanceMeters: 4][key] ?? 0
      #expect(
        try limits { try? $0.set(key, to: value) } == [
          .init(key: key, isLooser: isLooser, isStricter: !isLooser, dropped: dropped)
        ])
    }
    // A recording uses 5 s unless an interval was set.
    #expect(
      try limits { $0.minimumIntervalSeconds = 0 } == [
        .init(key: .minimumIntervalSeconds, isLooser: false, isStricter: false, dropped: 0)
      ])
    #expect(try limits { $0.units = .imperial } == [])
    #expect(
      try limits {
        $0.maximumSpeedMetersPerSecond = 1
        $0.maximumAccuracyMeters = 1
      }.map(\.key) == [.maximumAccuracyMeters, .maximumSpeedMetersPerSecond])
  }

  @Test func `a preview throws what the change throws`() throws {
    let store = try Store(path: folder.file("cells.sqlite"), creating: true)
    var cells = Coverage()
    cells.mark(discAround: awkwardHomes[1])
    try store.add(cells, as: "cells")
    for change: @Sendable (inout StoreSettings) -> Void in [
      { $0.explorationRadiusMeters = 300 }, { $0.visitGapMinutes = -1 },
      { $0.visitGapMinutes = .nan }, { $0.explorationRadiusMeters = 150.5 },
    ] {
      let said = #expect(throws: StoreError.self) {
        try store.impact(ofChangingSettings: change)
      }
      let thrown = #expect(throws: StoreError.self) {
        try store.write { session in
          var new = session.settings
          change(&new)
          _ = try session.change(to: new)
        }
      }
      #expect(said != nil && said == thrown)
      #expect(try store.read { $0.settings } == StoreSettings())
    }
    #expect(try store.impact { $0.visitGapMinutes = 5 }.isRebuild)
  }

  @Test func `a value that this version does not accept is removed by a reset`() throws {
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.tamper("INSERT INTO settings (key, value) VALUES ('visitGapMinutes', -5)")
    #expect(try !store.read { $0.settings }.isSet(.visitGapMinutes))
    try store.write { session in try session.reset(.visitGapMinutes) }
    #expect(
      try store.read { try $0.connection.integer("SELECT count(*) FROM settings") } == 0)
  }
}
