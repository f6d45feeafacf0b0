import Foundation
import TestSupport
import Testing

/// `roqua achievements`.
@Suite struct AchievementCommandTests {
  private func bench() throws -> Bench {
    let bench = try Bench()
    try bench.importSamples()
    return bench
  }

  @Test(
    arguments: [
      ("achievements-nearest", ["--nearest", "4"]),
      ("achievements-places-tr", ["--category", "places", "--language", "tr"]),
      ("achievements-compass", ["--category", "compass"]),
    ])
  func `what it prints`(name: String, arguments: [String]) throws {
    let result = try bench().roqua(["achievements"] + arguments)
    #expect(result.status == 0 && result.err.isEmpty)
    try expectGolden(result.out, name)
  }

  @Test func `JSON has the documented members, and a tier is new until something else changes`()
    throws
  {
    let bench = try bench()
    let report = try bench.json("achievements")
    let countries = try #require(
      report.achievements.elements.first { $0.id == .string("countries") })
    #expect(countries.value.double == 3)
    #expect(countries.tiers.elements.first?.isUnlocked == .bool(true))
    #expect(countries.tiers.elements.contains { $0.isNew == .bool(true) })
    #expect(countries.tiers.elements.first?.time.string?.hasPrefix("2024-03-") == true)
    #expect(try bench.json("achievements", "--changed").achievements.elements.count > 10)
    _ = try bench.roqua(["forget", "1"])
    let later = try bench.json("achievements")
    let tiers = later.achievements.elements.flatMap { $0.tiers.elements }
    #expect(tiers.allSatisfy { $0.isNew == .bool(false) })
    #expect(later.unlockedTiers == report.unlockedTiers)
  }

  @Test func `an import reports what it unlocked, once, and the command shows it as new`() throws {
    let bench = try Bench()
    let sample = PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx")
    #expect(try bench.json("import", sample, "--dry-run").unlocked.isNull)
    let unlocked = try bench.json("import", sample).unlocked.elements
    #expect(unlocked.count > 5)
    #expect(unlocked.allSatisfy { $0.names == ["achievement", "tier", "time"] })
    let country = try #require(unlocked.first { $0.achievement.string == "countries" })
    #expect(country.tier.double == 1 && country.time.string?.hasPrefix("2024-09-14T") == true)
    let changed = try bench.json("achievements", "--changed").achievements.elements
    let shown = changed.filter { $0.tiers.elements.contains { $0.isNew == .bool(true) } }
    #expect(Set(unlocked.map(\.achievement)).isSubset(of: Set(shown.map(\.id))))
    #expect(try bench.json("import", sample).unlocked.isNull, "nothing was imported")
    let other = PackageFolder.sample("2024-03-20-taveuni-boat.gpx")
    let line = try bench.roqua("import", other).out.split(separator: "\n")
      .first { $0.contains(" unlocked: ") }
    #expect(line?.hasSuffix(" more") == true)
    #expect(line?.contains(" achievements unlocked: ") == true)
  }

  @Test func `a lowest position above sea level is no depth`() throws {
    let bench = try Bench()
    try bench.folder.write(
      "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"48\" lon=\"8\"><ele>35</ele>"
        + "<time>2024-05-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>", to: "a.gpx")
    #expect(try bench.roqua("import", "a.gpx").status == 0)
    let words = try bench.roqua("achievements", "--category", "height").out
    #expect(words.contains("35 m of 500 m") && words.contains("none of 50 m"), "\(words)")
    let items = try bench.json("achievements", "--category", "height").achievements.elements
    #expect(items.contains { $0.value.double == -35 })
  }

  @Test func `if there is nothing to show, a sentence says so`() throws {
    let bench = try Bench()
    #expect(try bench.roqua("settings", "percentageDecimals", "3").status == 0)
    for (option, sentence) in [
      (["--nearest", "2"], "No achievement has progress toward a next tier.\n"),
      (["--changed"], "The last change of the store changed no achievement.\n"),
      (
        ["--changed", "--category", "distance", "--language", "tr"],
        "Mesafe: Deponun son değişikliği hiçbir başarımı değiştirmedi.\n"
      ),
    ] {
      let result = try bench.roqua(["achievements"] + option)
      #expect(result.status == 0 && result.out == sentence, "\(result.out)")
    }
  }

  @Test(arguments: [
    (["--category", "nothing"], "There is no category \"nothing\"."),
    (["--nearest", "0"], "it must be a whole number of at least 1."),
    (["--nearest", "2", "--changed"], "--nearest cannot be combined with --changed."),
  ])
  func `wrong usage is named`(arguments: [String], message: String) throws {
    let result = try Bench().roqua(["achievements"] + arguments)
    #expect(result.status == 64 && result.err.contains(message))
  }

  @Test(arguments: [40, 57, 80, 132])
  func `lines fit the terminal, and have no colors in a pipe`(columns: Int) throws {
    let result = try bench().roqua(["achievements"], environment: ["COLUMNS": "\(columns)"])
    #expect(!result.out.contains("\u{1B}"))
    for line in result.out.split(separator: "\n") {
      // An emoji takes two columns.
      #expect(line.count + 1 <= columns, "\(line)")
    }
  }

  @Test func `values are in the units of the settings`() throws {
    let bench = try bench()
    #expect(try bench.roqua("settings", "units", "imperial").status == 0)
    let lines = try bench.roqua("achievements", "--category", "area").out.split(separator: "\n")
    let values = lines.filter { $0.contains("█") || $0.contains("·") }
    #expect(values.contains { $0.hasSuffix(" sq mi") } && !values.contains { $0.contains(" km") })
  }
}
