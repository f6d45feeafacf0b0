import Achievements
import GeoStore
import Geodesy
import Geocode
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Achievements of stores: which tiers, when, and how often they are given.
@Suite struct AchievementTests {
  /// The catalog without shares of countries and cities, whose denominators take long in a debug
  /// build.
  static let catalog: AchievementCatalog = {
    var catalog = AchievementCatalog()
    for achievement in AchievementCatalog.bundled.achievements
    where ![.countryShare, .cityShare].contains(achievement.metric.kind) {
      try? catalog.add(achievement, title: [:], description: [:])
    }
    return catalog
  }()

  /// A tier with its time, to compare stores.
  struct Tier: Hashable {
    let id: String
    let tier: Double
    let time: Timestamp?
  }

  static func tiers(_ report: AchievementReport) -> Set<Tier> {
    Set(
      report.items.flatMap { item in
        item.unlocks.map { Tier(id: item.id, tier: $0.tier, time: $0.time) }
      })
  }

  /// Walks in several countries and years, without two at one time. Some have heights, some no
  /// times.
  static func writeTracks(_ folder: TemporaryFolder, seed: UInt64) throws -> [String] {
    var random = SplitMix64(seed: seed)
    let starts = [
      Coordinate(48.56, 7.80), Coordinate(48.57, 7.75), Coordinate(41.68, 26.55),
      Coordinate(-16.8, -179.98), Coordinate(64.1, -21.9), Coordinate(48.565, 7.795),
      Coordinate(36.4, 28.2),
    ]
    var paths: [String] = []
    for (index, start) in starts.enumerated() {
      let day = Int64.random(in: 0..<1_500, using: &random)
      let first = 1_600_000_000 + 86_400 * day + 11_000 * Int64(index)
      let isDated = index != 3
      var text = "<gpx><trk><trkseg>\n"
      for point in 0..<Int.random(in: 40...90, using: &random) {
        let degrees = 0.000_9 * Double(point)
        text +=
          "<trkpt lat=\"\(start.latitudeDegrees + degrees)\" "
          + "lon=\"\(start.longitudeDegrees - degrees)\">"
        if index % 2 == 0 { text += "<ele>\(400 + 7 * point + 100 * index)</ele>" }
        if isDated {
          let time = Timestamp(millisecondsSince1970: (first + 60 * Int64(point)) * 1_000)
          text += "<time>\(time.iso8601)</time>"
        }
        text += "</trkpt>\n"
      }
      paths.append(try folder.write(text + "</trkseg></trk></gpx>", to: "\(seed)-\(index).gpx"))
    }
    return paths
  }

  @Test(arguments: Seeds.sample(6))
  func `files in any order give the same tiers at the same times, each once`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (one, other) = (try Fixture(), try Fixture())
    let paths = try Self.writeTracks(one.folder, seed: seed)
    _ = try one.explorer.importTracks(paths)
    let expected = Self.tiers(try one.explorer.achievements(Self.catalog))
    #expect(expected.count > 25)

    var given: [AchievementUnlock] = []
    for path in paths.shuffled(using: &random) {
      given += try other.explorer.importTracks([path]).newlyUnlocked
      if Bool.random(using: &random) {
        given += try other.explorer.achievements(Self.catalog).newlyUnlocked
      }
    }
    let report = try other.explorer.achievements(Self.catalog)
    given += report.newlyUnlocked
    #expect(Self.tiers(report).symmetricDifference(expected) == [])
    let keys = given.map { Tier(id: $0.achievementID, tier: $0.tier, time: nil) }
    #expect(Set(keys).count == keys.count, "a tier was given twice")
    #expect(Set(keys) == Set(expected.map { Tier(id: $0.id, tier: $0.tier, time: nil) }))
    #expect(try other.explorer.achievements(Self.catalog).newlyUnlocked.isEmpty)
    let check = try other.explorer.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test func `tiers survive rebuilding, forgetting and importing again, and progress does not`()
    throws
  {
    let fixture = try Fixture()
    let paths = try Self.writeTracks(fixture.folder, seed: 3)
    _ = try fixture.explorer.importTracks(paths)
    let before = try fixture.explorer.achievements(Self.catalog)
    func values(_ report: AchievementReport) -> [Double?] { report.items.map(\.value) }

    _ = try fixture.explorer.rebuild(changing: [:])
    let rebuilt = try fixture.explorer.achievements(Self.catalog)
    #expect(Self.tiers(rebuilt) == Self.tiers(before) && values(rebuilt) == values(before))

    let sources = try fixture.explorer.sources().map { String($0.id) }
    _ = try fixture.explorer.forget(sources: sources)
    let empty = try fixture.explorer.achievements(Self.catalog)
    #expect(Self.tiers(empty) == Self.tiers(before) && empty.newlyUnlocked.isEmpty)
    #expect(empty.items.allSatisfy { ($0.value ?? 0) == 0 })

    #expect(try fixture.explorer.importTracks(paths.reversed()).newlyUnlocked.isEmpty)
    let again = try fixture.explorer.achievements(Self.catalog)
    #expect(Self.tiers(again) == Self.tiers(before) && again.newlyUnlocked.isEmpty)
    #expect(values(again) == values(before))
  }

  @Test func `a privacy zone deletes heights and state, and later fixes go on`() throws {
    let fixture = try Fixture()
    let paths = try Self.writeTracks(fixture.folder, seed: 5)
    _ = try fixture.explorer.importTracks(paths)
    _ = try fixture.explorer.achievements(Self.catalog)
    _ = try fixture.explorer.addPrivacyZone(
      PrivacyZone(center: Coordinate(48.56, 7.80), radiusMeters: 300))
    #expect(try fixture.explorer.read { try $0.achievementState() } == nil)
    let (kept, fresh) = (try fixture.explorer.achievements(Self.catalog), try Fixture())
    let zone = PrivacyZone(center: Coordinate(48.56, 7.80), radiusMeters: 300)
    _ = try fresh.explorer.addPrivacyZone(zone)
    _ = try fresh.explorer.importTracks(paths)
    let expected = try fresh.explorer.achievements(Self.catalog)
    for (left, right) in zip(kept.items, expected.items)
    where left.achievement.metric.origin == .fixes {
      #expect(left.value == right.value, "\(left.id)")
    }
  }

  @Test(arguments: Seeds.sample(3))
  func `a damaged or outdated state is not used`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let fixture = try Fixture()
    let paths = try Self.writeTracks(fixture.folder, seed: seed)
    _ = try fixture.explorer.importTracks(paths)
    let expected = Self.tiers(try fixture.explorer.achievements(Self.catalog))
    try fixture.explorer.write { session in
      let state = try #require(
        try fixture.explorer.read { try $0.achievementState() })
      var wrong = state
      wrong.content.lastFixes -= 1
      wrong.state[Int.random(in: 5..<wrong.state.count, using: &random)] ^= 16
      try session.keep(wrong, progress: [:])
    }
    #expect(Self.tiers(try fixture.explorer.achievements(Self.catalog)) == expected)
  }

  @Test func `a fix that was tracked live reaches what an import of it reaches`() throws {
    let (live, imported) = (try Fixture(), try Fixture())
    let paths = try Self.writeTracks(imported.folder, seed: 9)
    _ = try imported.explorer.importTracks([paths[0]])
    let report = try imported.explorer.achievements(Self.catalog)
    let expected = Self.tiers(report).filter {
      Self.catalog[$0.id]?.metric.origin == .fixes
    }
    var tracker = try live.explorer.achievementTracker(Self.catalog)
    var found: Set<Tier> = []
    for fix in try imported.explorer.keptFixes() {
      for unlock in tracker.push(fix, ofSource: 1) {
        found.insert(Tier(id: unlock.achievementID, tier: unlock.tier, time: unlock.time))
      }
    }
    #expect(found == expected)
    let unlocks = found.map {
      AchievementUnlock(achievementID: $0.id, tier: $0.tier, time: $0.time)
    }
    #expect(try live.explorer.give(unlocks).count == found.count)
    #expect(try live.explorer.give(unlocks).isEmpty, "each is given once")
    #expect(Self.tiers(try live.explorer.achievements(Self.catalog)) == found)
  }

  @Test func `a tier of area has the time of the fix with which the area reaches it`() throws {
    let fixture = try Fixture()
    let paths = try Self.writeTracks(fixture.folder, seed: 4)
    _ = try fixture.explorer.importTracks(paths.enumerated().filter { $0.0 != 3 }.map(\.1))
    let report = try fixture.explorer.achievements(Self.catalog)
    let item = try #require(report.items.first { $0.id == "explored-area" })
    #expect(isClose(item.value ?? 0, try fixture.explorer.statistics().areaSquareKilometers))
    var coverage = Coverage(grid: try fixture.explorer.read { $0.settings.grid })
    var times: [Double: Timestamp] = [:]
    let fixes = try fixture.explorer.keptFixes().sorted {
      ($0.time ?? Timestamp(millisecondsSince1970: 0))
        < ($1.time ?? Timestamp(millisecondsSince1970: 0))
    }
    for fix in fixes {
      coverage.mark(discAround: fix.coordinate)
      for tier in item.achievement.tiers
      where times[tier] == nil && coverage.areaSquareKilometers >= tier { times[tier] = fix.time }
    }
    #expect(times.count >= 2)
    #expect(Dictionary(uniqueKeysWithValues: item.unlocks.map { ($0.tier, $0.time) }) == times)
  }

  @Test func `shares of countries and cities are those of the statistics`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks([Fixture.townSamples[0]])
    let report = try fixture.explorer.achievements()
    let statistics = try fixture.explorer.statistics(by: [.country, .city])
    for (id, breakdown) in [("country-share", Breakdown.country), ("city-share", .city)] {
      let expected = statistics.places[breakdown]?.compactMap(\.percentage).max()
      #expect(report.items.first { $0.id == id }?.value == expected)
    }
    let again = try fixture.explorer.achievements()
    #expect(again.items.map(\.value) == report.items.map(\.value))
  }

  @Test func `an app's achievements and values count`() throws {
    let fixture = try Fixture()
    var catalog = Self.catalog
    try catalog.add(
      Achievement(
        id: "photographer", category: "photos", icon: "📷",
        metric: AchievementMetric(.custom, argument: "photos"), tiers: [10, 100]),
      title: ["en": "Photographer"], description: [:])
    let time = Timestamp(millisecondsSince1970: 5_000)
    let report = try fixture.explorer.achievements(
      catalog, custom: ["photos": AchievementValue(value: 12, time: time)])
    let unlock = AchievementUnlock(achievementID: "photographer", tier: 10, time: time)
    #expect(report.newlyUnlocked == [unlock])
    #expect(report.nearest(1).first?.id == "photographer")
    // An achievement that is added later has the time of its fix, too.
    let paths = try Self.writeTracks(fixture.folder, seed: 2)
    _ = try fixture.explorer.importTracks(paths)
    let own = Achievement(
      id: "three", category: "places", icon: "x", metric: AchievementMetric(.countries), tiers: [3])
    _ = try fixture.explorer.achievements(catalog)
    try catalog.add(own, title: [:], description: [:])
    let items = try fixture.explorer.achievements(catalog).items
    #expect(
      items.first { $0.id == "three" }?.unlocks.first?.time
        == items.first { $0.id == "countries" }?.unlocks.first { $0.tier == 3 }?.time)
    #expect(items.first { $0.id == "three" }?.unlocks.first?.time != nil)
  }

  @Test func `what changed is what the last import changed`() throws {
    let fixture = try Fixture()
    let paths = try Self.writeTracks(fixture.folder, seed: 6)
    _ = try fixture.explorer.importTracks([paths[0]])
    _ = try fixture.explorer.achievements(Self.catalog)
    _ = try fixture.explorer.importTracks([paths[2]])
    let report = try fixture.explorer.achievements(Self.catalog)
    #expect(report.changed.contains { $0.id == "cities" })
    #expect(!report.changed.contains { $0.id == "antarctica" })
    let countries = try #require(report.items.first { $0.id == "countries" })
    #expect((countries.valueBefore ?? 0) < countries.value ?? 0)
    #expect(
      try fixture.explorer.achievements(Self.catalog).changed.map(\.id) == report.changed.map(\.id))
  }

  @Test func `after data was forgotten, nothing is listed as changed until an import`() throws {
    let fixture = try Fixture()
    let paths = try Self.writeTracks(fixture.folder, seed: 6)
    let first = try fixture.explorer.importTracks([paths[0]])
    #expect(!first.newlyUnlocked.isEmpty)
    // Before the first import there was nothing.
    let begun = try fixture.explorer.achievements(Self.catalog)
    let withValue = begun.items.filter { ($0.value ?? 0) > 0 }
    #expect(Set(begun.changed.map(\.id)) == Set(withValue.map(\.id)))
    _ = try fixture.explorer.importTracks([paths[2]])
    _ = try fixture.explorer.achievements(Self.catalog)
    _ = try fixture.explorer.forget(sources: ["2"])
    for _ in 1...2 {
      let forgotten = try fixture.explorer.achievements(Self.catalog)
      #expect(forgotten.changed.isEmpty, "\(forgotten.changed.map(\.id))")
      #expect(forgotten.items.contains { ($0.value ?? 0) > 0 })
    }
    _ = try fixture.explorer.importTracks([paths[4]])
    let changed = try fixture.explorer.achievements(Self.catalog).changed
    #expect(changed.contains { $0.id == "countries" })
    #expect(changed.allSatisfy { !$0.newUnlocks.isEmpty || $0.value != $0.valueBefore })
  }

  @Test func `every code of the tables of continents and islands is in the geodata`() throws {
    let geocoder = try Geocoder.bundled
    func isKnown(_ code: String) -> Bool {
      code.contains("-")
        ? !geocoder.regions(code: code).isEmpty
        : CountryIndex(code: code).flatMap { geocoder.name(of: $0) } != nil
    }
    let atlas = GroundAtlas.bundled
    #expect(atlas.divisions.keys.filter { !isKnown($0) }.sorted() == [])
    #expect(atlas.islands.keys.filter { !isKnown($0) }.sorted() == [])
  }

  @Test(arguments: [(30, false), (290, true)])
  func `a step that nobody can make is no way, no border crossing and no travel`(
    seconds: Int64, isPossible: Bool
  ) throws {
    // A receiver that is switched on in Strasbourg, with the position that it had in Offenburg, 23
    // km away.
    func time(_ seconds: Int64) -> Timestamp {
      Timestamp(millisecondsSince1970: 1_714_557_600_000 + seconds * 1_000)
    }
    let start = [(coordinate: Coordinate(48.45, 7.99), time: Optional(time(0)))]
    let walk = (0..<20).map { index in
      (
        coordinate: Coordinate(48.58 + 0.000_9 * Double(index), 7.75),
        time: Optional(time(seconds + Int64(index) * 60))
      )
    }
    let fixture = try Fixture()
    let path = try fixture.folder.write(TrackText.gpx(start + walk), to: "a.gpx")
    let report = try fixture.explorer.importTracks([path])
    #expect(report.kept == 21, "the filter keeps the first fix of a track")
    let achievements = try fixture.explorer.achievements(Self.catalog)
    func value(_ kind: AchievementMetric.Kind) throws -> Double? {
      try #require(achievements.items.first { $0.achievement.metric.kind == kind }).value
    }
    #expect(try value(.borders) == (isPossible ? 1 : 0))
    let kilometers = try #require(try value(.distance))
    #expect(isPossible ? (23...27).contains(kilometers) : kilometers < 2, "\(kilometers)")
    let between = try fixture.explorer.position(at: time(seconds / 2))
    #expect(between?.certainty == (isPossible ? .moving : .gap))
  }

  @Test func `the Bosphorus divides Europe from Asia`() throws {
    var finder = FactFinder(geocoder: try Geocoder.bundled)
    func continent(_ latitude: Double, _ longitude: Double) -> UInt8 {
      finder.facts(at: Coordinate(latitude, longitude)).continent
    }
    let (europe, asia) = (Continent.europe.number, Continent.asia.number)
    #expect(continent(41.0256, 28.9742) == europe)  // Galata
    #expect(continent(41.1086, 29.0537) == europe)  // Emirgan
    #expect(continent(41.0256, 29.0150) == asia)  // Üsküdar
    #expect(continent(40.9900, 29.0270) == asia)  // Kadıköy
    #expect(continent(41.1500, 29.1000) == asia)  // Beykoz
    #expect(continent(40.1530, 26.4050) == asia)  // Çanakkale
    #expect(continent(40.1850, 26.3570) == europe)  // Eceabat
    #expect(continent(41.6770, 26.5560) == europe)  // Edirne
    #expect(continent(39.9250, 32.8370) == asia)  // Ankara
  }
}
