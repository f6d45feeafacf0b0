import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua settings`.
@Suite struct SettingsTests {
  /// The documented settings and their defaults.
  private static let defaults: [String: Double] = [
    "maximumAccuracyMeters": 50, "trackingDistanceMeters": 50, "minimumIntervalSeconds": 0,
    "maximumSpeedMetersPerSecond": 350, "explorationRadiusMeters": 150,
    "clusteringRadiusMeters": 75,
    "visitGapMinutes": 30, "flightsExplore": 0, "percentageDecimals": 5,
  ]

  @Test func `the defaults are the documented ones, and reading them creates no store`() throws {
    let bench = try Bench()
    let settings = try bench.json("settings")
    var expected = Self.defaults.mapValues { JSONTree.number($0) }
    expected["units"] = .string("metric")
    expected["colorTheme"] = .string("blue")
    expected["colorScheme"] = .string("system")
    #expect(settings == .object(expected))
    let words = try bench.roqua("settings")
    #expect(words.status == 0)
    for name in Self.defaults.keys { #expect(words.out.contains(name)) }
    #expect(words.out.split(separator: "\n").allSatisfy { $0.hasSuffix("(default)") })
    #expect(words.out.contains("metric"))
    #expect(
      try bench.json("settings", "visitGapMinutes") == .object(["visitGapMinutes": .number(30)]))
    #expect(!bench.hasStore)
  }

  @Test func `a changed setting is stored`() throws {
    let bench = try Bench()
    let set = try bench.json("settings", "maximumAccuracyMeters", "12.5")
    #expect(set == .object(["maximumAccuracyMeters": .number(12.5)]))
    #expect(bench.hasStore)
    #expect(try bench.json("settings").maximumAccuracyMeters.double == 12.5)
    let words = try bench.roqua("settings", "maximumAccuracyMeters")
    #expect(words.out.contains("12.5"))
    #expect(!words.out.contains("(default)"))
  }

  @Test func `settings with names accept and show only names`() throws {
    let bench = try Bench()
    #expect(
      try bench.json("settings", "colorTheme", "Pink") == .object(["colorTheme": .string("pink")]))
    #expect(
      try bench.json("settings", "colorScheme", "dark")
        == .object(["colorScheme": .string("dark")]))
    let words = try bench.roqua("settings")
    #expect(words.out.contains("pink") && words.out.contains("dark"))
    let wrong = try bench.roqua("settings", "colorTheme", "beige")
    #expect(wrong.status == 64)
    #expect(wrong.err.contains("blue, pink, forest, amber, violet, clear or contrast"))
    #expect(try bench.roqua("settings", "colorScheme", "1").status == 64)
    #expect(
      try bench.json("settings", "colorTheme", "default")
        == .object(["colorTheme": .string("blue")]))
  }

  @Test func `imports use the stored settings`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 21), to: "a.gpx")
    #expect(try bench.json("import", "--dry-run", "a.gpx").files[0].kept.int == 21)
    #expect(try bench.roqua("settings", "trackingDistanceMeters", "250").status == 0)
    // The points are 134 m apart: every second one is 268 m from the last kept fix.
    let file = try bench.json("import", "a.gpx").files[0]
    #expect(file.kept.int == 11)
    #expect(file.dropped == .object(["tooClose": .number(10)]))
  }

  @Test func `changing a radius rebuilds regions and coverage, and changing it back restores them`()
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let before = try bench.json("stats", "--by", "country", "--by", "month")
    let regions = try bench.json("within", "-90", "-180", "90", "180")
    #expect(try bench.roqua("settings", "explorationRadiusMeters", "400").status == 0)
    #expect(try bench.roqua("settings", "clusteringRadiusMeters", "300").status == 0)
    let after = try bench.json("stats")
    #expect(after.keptFixes == before.keptFixes)
    #expect(
      try #require(after.areaSquareKilometers.double) > 2
        * (before.areaSquareKilometers.double ?? 0))
    #expect(try #require(after.visitedRegions.int) < (before.visitedRegions.int ?? 0))
    #expect(try bench.json("near", "48.5676", "7.8010").regions[0].radius.int == 400)

    // A new store with the same settings has the same contents.
    let fresh = try Bench()
    #expect(try fresh.roqua("settings", "explorationRadiusMeters", "400").status == 0)
    #expect(try fresh.roqua("settings", "clusteringRadiusMeters", "300").status == 0)
    try fresh.importSamples()
    #expect(try fresh.json("stats") == after)

    #expect(try bench.roqua("settings", "explorationRadiusMeters", "150").status == 0)
    #expect(try bench.roqua("settings", "clusteringRadiusMeters", "75").status == 0)
    #expect(try bench.json("stats", "--by", "country", "--by", "month") == before)
    #expect(try bench.json("within", "-90", "-180", "90", "180") == regions)
  }

  @Test func `the value default returns a setting to its default`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let before = try bench.json("stats")
    let regions = try bench.json("within", "-90", "-180", "90", "180")
    #expect(try bench.roqua("settings", "percentageDecimals", "3").status == 0)
    #expect(try bench.roqua("settings", "explorationRadiusMeters", "400").status == 0)
    #expect(try bench.json("stats") != before)
    for key in ["percentageDecimals", "explorationRadiusMeters"] {
      let reset = try bench.roqua("settings", key, "default")
      #expect(reset.status == 0)
      #expect(reset.out.contains("(default)"))
    }
    #expect(try bench.roqua("settings", "percentageDecimals").out.contains("automatic"))
    #expect(try bench.json("stats") == before)
    #expect(try bench.json("within", "-90", "-180", "90", "180") == regions)
  }

  @Test func `returning to the default creates no store`() throws {
    let bench = try Bench()
    let reset = try bench.json("settings", "visitGapMinutes", "default")
    #expect(reset == .object(["visitGapMinutes": .number(30)]))
    #expect(!bench.hasStore)
  }

  @Test(arguments: [
    ["explorationRadiusMeters", "0"], ["explorationRadiusMeters", "-5"],
    ["explorationRadiusMeters", "150.5"], ["explorationRadiusMeters", "150.5m"],
    ["explorationRadiusMeters", "100km"],
    ["maximumAccuracyMeters", "0"], ["maximumAccuracyMeters", "nan"],
    ["maximumAccuracyMeters", "many"],
    ["percentageDecimals", "13"], ["percentageDecimals", "1.5"], ["visitGapMinutes", "-1"],
    ["units", "1"], ["units", "nautical"], ["flightsExplore", "2"], ["flightsExplore", "0.5"],
    ["noSuchSetting"],
    ["noSuchSetting", "5"], ["visitGapMinutes", ""], ["visitGapMinutes", "5", "6"],
  ])
  func `a wrong setting is wrong usage and changes nothing`(arguments: [String]) throws {
    let bench = try Bench()
    let result = try bench.roqua(["settings"] + arguments)
    #expect(result.status == 64)
    #expect(result.out == "")
    #expect(result.err.hasPrefix("Error: "))
    #expect(!bench.hasStore)
  }
}
