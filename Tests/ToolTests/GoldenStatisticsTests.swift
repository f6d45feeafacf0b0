import Foundation
import Geodesy
import TestSupport
import Testing

/// The exact output of `stats`, `places` and `coverage`.
@Suite struct GoldenStatisticsTests {
  @Test(
    arguments: [
      ("stats", ["stats"]), ("stats-by-country", ["stats", "--by", "country"]),
      ("stats-top", ["stats", "--by", "region", "--by", "month", "--top", "2"]),
      ("stats-of-a-country", ["stats", "--country", "fiji", "--by", "city"]),
      (
        "stats-of-a-time",
        ["stats", "--from", "2024", "--to", "2024-03", "--by", "country", "--by", "day"]
      ),
      (
        "stats-by-local-day",
        ["stats", "--country", "fj", "--by", "day", "--time-zone", "local"]
      ),
      ("stats-nothing-there", ["stats", "--country", "Brazil", "--by", "city"]),
      ("places", ["places", "--all"]),
      ("places-by-city", ["places", "--by", "city", "--top", "3"]),
      (
        "places-local", ["places", "--by", "region", "--country", "Fiji", "--time-zone", "local"]
      ),
      ("coverage", ["coverage", "--by", "country", "--frontier", "3"]),
      ("coverage-of-a-country", ["coverage", "--country", "France", "--by", "month"]),
      ("coverage-box", ["coverage", "--bbox", "48,7,49,8"]),
    ])
  func `the output matches the golden file`(name: String, arguments: [String]) throws {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    let result = try bench.roqua(arguments)
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    try expectGolden(result.out, name)
  }

  @Test func `imperial units appear in text output and never in JSON`() throws {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    let commands = [
      ["stats", "--by", "country"], ["coverage", "--frontier", "2"],
      ["near", "41.0256", "28.9742", "--radius", "300m"], ["where", "48.5676", "7.8010"],
    ]
    let before = try commands.map { try bench.roqua($0 + ["--json"]).out }
    #expect(try bench.roqua("settings", "units", "imperial").status == 0)
    #expect(try commands.map { try bench.roqua($0 + ["--json"]).out } == before)
    let words = try commands.map { arguments in
      let result = try bench.roqua(arguments)
      #expect(result.status == 0 && !result.out.contains("km"), "\(result.out)")
      return result.out
    }
    try expectGolden(words[0], "stats-imperial")
    try expectGolden(words[1], "coverage-imperial")
    #expect(words[2].contains("\n326 ft  ") && words[2].contains(" within 984 ft"))
    #expect(words[3].contains(", 2.78 mi from its "))
    let track = PackageFolder.sample("2023-08-02-munich-ride.gpx")
    let other = try Bench()
    #expect(try other.roqua("settings", "units", "imperial").status == 0)
    let report = try other.roqua("import", track).out
    #expect(report.contains("closer than 164 ft to") && report.contains(" sq mi "))
  }

  @Test(arguments: [40, 60, 80, 100])
  func `tables fit the width of the terminal`(width: Int) throws {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    var words = ""
    for arguments in [["stats", "--by", "region"], ["places", "--by", "city", "--all"]] {
      let result = try bench.roqua(arguments, environment: ["COLUMNS": "\(width)"])
      #expect(result.status == 0)
      words += result.out
    }
    // Sentences are wrapped by the terminal.
    let sentences = ["visited regions, ", "kept fixes; ", " visited, "]
    let tables = words.split(separator: "\n").filter { line in
      !sentences.contains { line.contains($0) }
    }
    #expect(tables.allSatisfy { $0.count <= width }, "\(words)")
    if width == 40 || width == 80 { try expectGolden(words, "columns-\(width)") }
  }

  @Test(arguments: ["country", "region", "city"])
  func `each place is on one line of 80 columns, with its days if they fit`(level: String) throws {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    func rows(_ columns: Int) throws -> [Substring] {
      let out = try bench.roqua(
        ["stats", "--by", level], environment: ["COLUMNS": "\(columns)"]
      ).out
      let table = try #require(out.components(separatedBy: "\n\n").last)
      return table.split(separator: "\n").dropFirst(2).map { $0 }
    }
    let places = try bench.json("stats", "--by", level).breakdowns[level].elements.count
    for (columns, days) in [(80, "  2022-11"), (120, "  2022-11-05 – 2022-11-06")] {
      let lines = try rows(columns)
      #expect(lines.count == places, "\(lines)")
      #expect(lines.allSatisfy { $0.count <= columns })
      #expect(lines.filter { $0.hasSuffix(days) }.count == 1, "\(lines)")
    }
  }

  @Test func `cells exported for one country are imported unchanged`() throws {
    let (bench, other) = (try Bench(), try Bench())
    try bench.importSamples()
    let file = bench.folder.file("france.coverage")
    let export = try bench.json("coverage", "--country", "FR", "--export", file)
    let france = try bench.json("coverage", "--country", "FR")
    #expect(export.cells == france.cells && (export.cells.int ?? 0) > 0)
    #expect(try other.json("coverage", "--import", file).cellsAdded == france.cells)
    let copied = try other.json("coverage", "--by", "country")
    #expect(copied.breakdowns.country.elements.map(\.countryCode.string) == ["FR"])
    #expect(copied.areaSquareKilometers == france.areaSquareKilometers)
    #expect(france.frontierCells.isNull && france.place.name.string == "France")
  }

  @Test func `--top limits the lists in JSON too`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for verb in ["stats", "coverage"] {
      let all = try bench.json(verb, "--by", "country", "--by", "day").breakdowns
      let top = try bench.json(verb, "--by", "country", "--by", "day", "--top", "1").breakdowns
      #expect(top.country.elements == Array(all.country.elements.prefix(1)))
      let largest = all.day.elements.max {
        ($0.newAreaSquareKilometers.double ?? 0) < ($1.newAreaSquareKilometers.double ?? 0)
      }
      #expect(top.day.elements == [try #require(largest)])
    }
  }

  @Test func `cells without a time are in no time range`() throws {
    let bench = try Bench()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(50, 8), count: 4, isDated: false), to: "undated.gpx")
    #expect(try bench.roqua("import", "undated.gpx").status == 0)
    let statistics = try bench.json("stats", "--from", "1970", "--by", "year")
    #expect(statistics.cells.int == 0 && statistics.keptFixes.int == 0)
    #expect(statistics.visits.int == 0 && statistics.breakdowns.year.elements.isEmpty)
    #expect(statistics.from.string == "1970-01-01T00:00:00Z" && statistics.to.isNull)
  }
}
