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
    for line in words.out.split(separator: "\n") {
      let isRecorded = line.contains("minimumIntervalSeconds")
      #expect(line.hasSuffix(isRecorded ? "(default; 5 for recordings)" : "(default)"))
    }
    #expect(words.out.contains("metric"))
    #expect(
      try bench.json("settings", "visitGapMinutes") == .object(["visitGapMinutes": .number(30)]))
    #expect(!bench.hasStore)
  }

  @Test func `a changed setting is stored`() throws {
    let bench = try Bench()
    let set = try bench.json("settings", "maximumAccuracyMeters", "12.5")
    #expect(set.maximumAccuracyMeters == .number(12.5))
    #expect(bench.hasStore)
    #expect(try bench.json("settings").maximumAccuracyMeters.double == 12.5)
    let words = try bench.roqua("settings", "maximumAccuracyMeters")
    #expect(words.out.contains("12.5"))
    #expect(!words.out.contains("(default)"))
  }

  @Test func `an automatic value is null before and after a change`() throws {
    let bench = try Bench()
    let set = try bench.json("settings", "percentageDecimals", "5")
    #expect(set.impact.changed == .bool(true) && set.impact.before.isNull)
    #expect(set.impact.after == .number(5) && set.impact.names.contains("before"))
    let reset = try bench.json("settings", "percentageDecimals", "default")
    #expect(reset.impact.before == .number(5) && reset.impact.after.isNull)
  }

  @Test func `settings with names accept and show only names`() throws {
    let bench = try Bench()
    #expect(try bench.json("settings", "colorTheme", "Pink").colorTheme == .string("pink"))
    #expect(try bench.json("settings", "colorScheme", "dark").colorScheme == .string("dark"))
    let words = try bench.roqua("settings")
    #expect(words.out.contains("pink") && words.out.contains("dark"))
    let wrong = try bench.roqua("settings", "colorTheme", "beige")
    #expect(wrong.status == 64)
    #expect(wrong.err.contains("blue, pink, forest, amber, violet, clear or contrast"))
    #expect(try bench.roqua("settings", "colorScheme", "1").status == 64)
    #expect(try bench.json("settings", "colorTheme", "default").colorTheme == .string("blue"))
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
    #expect(reset.visitGapMinutes == .number(30) && reset.impact.changed == .bool(false))
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
    ["--dry-run"], ["visitGapMinutes", "--dry-run"], ["visitGapMinutes", "-1", "--dry-run"],
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

/// What `roqua settings` says about a change, before and after it.
@Suite struct SettingsImpactCommandTests {
  private func tables(_ bench: Bench) throws -> [JSONTree] {
    [
      try bench.json("stats"), try bench.json("within", "-90", "-180", "90", "180"),
      try bench.json("settings"),
    ]
  }

  @Test func `a dry run says what the change rebuilds, and changes nothing`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let before = try tables(bench)
    let dry = try bench.json("settings", "clusteringRadiusMeters", "300", "--dry-run")
    let impact = dry.impact
    #expect(dry.clusteringRadiusMeters == .number(75))
    #expect(impact.dryRun == .bool(true) && impact.changed == .bool(true))
    #expect(impact.before == .number(75) && impact.after == .number(300))
    #expect(impact.affected == .array([.string("regions"), .string("visits")]))
    #expect(impact.keptFixes == before[0].keptFixes && impact.sources == before[0].sources)
    #expect(impact.sizeBefore.visitedRegions == before[0].visitedRegions)
    #expect(impact.sizeBefore.cells == before[0].cells && impact.sizeAfter.isNull)
    #expect(impact.filterLimits.elements.isEmpty && impact.fixesInFlight.isNull)
    let words = try bench.roqua("settings", "clusteringRadiusMeters", "300", "--dry-run")
    #expect(words.status == 0 && words.err == "")
    let lines = words.out.split(separator: "\n")
    #expect(lines.first == "clusteringRadiusMeters would be 300 (75 now).")
    #expect(lines.dropFirst().first?.hasPrefix("Regions and visits would be rebuilt from") == true)
    #expect(try tables(bench) == before)

    let done = try bench.json("settings", "clusteringRadiusMeters", "300")
    #expect(done.clusteringRadiusMeters == .number(300))
    let after = try tables(bench)
    #expect(done.impact.sizeAfter.visitedRegions == after[0].visitedRegions)
    #expect(after[0].visitedRegions != before[0].visitedRegions)
    #expect(
      done.impact.without("dryRun", "sizeAfter") == impact.without("dryRun", "sizeAfter"))
    let again = try bench.roqua("settings", "clusteringRadiusMeters", "300", "--dry-run")
    #expect(again.out == "Nothing would change: clusteringRadiusMeters is 300.\n")
  }

  @Test func `a change says in words what was rebuilt`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let words = try bench.roqua("settings", "explorationRadiusMeters", "200")
    #expect(words.status == 0)
    #expect(words.out.contains("\nRegions and coverage were rebuilt from the data of 2 sources ("))
    #expect(words.out.contains("\nThe store has ") && words.out.contains(" before)"))
    // The numbers of cells of two sizes say nothing about the area.
    #expect(words.out.contains("\nThe cells are larger than before and cover "))
    #expect(words.out.hasSuffix(" km² before).\n"))
    let smaller = try bench.roqua("settings", "explorationRadiusMeters", "default")
    #expect(smaller.out.contains("\nThe cells are smaller than before and cover "))
    let same = try bench.roqua("rebuild", "--exploration-radius", "150m")
    #expect(same.status == 0 && !same.out.contains("The cells are"))
    let plain = try bench.roqua("settings", "units", "imperial")
    #expect(plain.out.split(separator: "\n").count == 1)
    let dry = try bench.roqua("settings", "units", "default", "--dry-run")
    #expect(dry.out == "units would be metric (imperial now).\nNothing would be rebuilt.\n")
    let flights = try bench.roqua("settings", "flightsExplore", "1", "--dry-run")
    #expect(flights.out.contains("0 kept fixes in flight would explore."))
    #expect(flights.out.contains("Regions, visits and coverage would be rebuilt"))
  }

  @Test func `a limit of the filter says what is not in the store`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 21), to: "a.gpx")
    #expect(try bench.roqua("settings", "trackingDistanceMeters", "250").status == 0)
    #expect(try bench.json("import", "a.gpx").files[0].dropped.tooClose == .number(10))
    let looser = try bench.json("settings", "trackingDistanceMeters", "50m", "--dry-run").impact
    #expect(
      looser.filterLimits[0]
        == .object([
          "key": .string("trackingDistanceMeters"), "looser": .bool(true),
          "stricter": .bool(false), "dropped": .number(10),
        ]))
    #expect(looser.affected.elements.isEmpty && looser.sizeBefore.isNull)
    let words = try bench.roqua("settings", "trackingDistanceMeters", "50", "--dry-run")
    #expect(words.out.contains("10 points that the old limit dropped are not in the store."))
    let stricter = try bench.roqua("settings", "trackingDistanceMeters", "300")
    #expect(stricter.out.contains("\nThe setting applies to later imports and recordings.\n"))
    #expect(stricter.out.contains("11 kept fixes stay, also those that the new limit drops."))
  }

  @Test func `a dry run makes no store, and is refused where the change is`() throws {
    let bench = try Bench()
    let empty = try bench.roqua("settings", "visitGapMinutes", "5", "--dry-run")
    #expect(
      empty.out
        == "visitGapMinutes would be 5 (30 now).\nThe store is empty: there is nothing to "
        + "rebuild.\n")
    #expect(
      try bench.json("settings", "visitGapMinutes", "default", "--dry-run").impact
        .changed == .bool(false))
    #expect(!bench.hasStore)
    try bench.importSamples()
    #expect(try bench.roqua("coverage", "--export", "cells").status == 0)
    let other = try Bench()
    let cells = bench.folder.file("cells")
    #expect(try other.roqua("coverage", "--import", cells).status == 0)
    let dry = try other.roqua("settings", "explorationRadiusMeters", "200", "--dry-run")
    let real = try other.roqua("settings", "explorationRadiusMeters", "200")
    #expect(dry.status == 1 && real.status == 1 && dry.err == real.err && dry.out == "")
  }
}
