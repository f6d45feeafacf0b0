import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua stats`.
@Suite struct StatisticsTests {
  private static let members: Set<String> = [
    "cells", "areaSquareKilometers", "worldPercentage", "landAreaSquareKilometers",
    "landPercentage",
    "cellPercentage", "visitedRegions", "visits", "keptFixes", "flights", "sources", "cellSources",
    "countries",
    "regions",
    "cities",
  ]

  /// Totals of the Earth: the same whatever is explored.
  private static let denominators: Set<String> = [
    "worldAreaSquareKilometers", "worldLandAreaSquareKilometers", "worldCells",
  ]

  private static let shareMembers: Set<String> = [
    "countryCode", "country", "cells", "areaSquareKilometers", "worldPercentage",
    "landAreaSquareKilometers", "totalLandAreaSquareKilometers", "percentage", "visitedRegions",
    "visits",
    "firstTime", "lastTime",
  ]

  @Test func `the totals have all documented members`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let statistics = try bench.json("stats")
    #expect(statistics.names == Self.members.union(Self.denominators))
    #expect(statistics.sources.int == 2 && statistics.cellSources.int == 0)
    #expect(statistics.countries.int == 3)
    let area = try #require(statistics.areaSquareKilometers.double)
    let cells = try #require(statistics.cells.double)
    // The Earth's surface on the authalic sphere of radius 6371.0072 km, and all cells of the
    // default grid.
    let earth = 4 * Double.pi * 6_371.007_2 * 6_371.007_2
    #expect(statistics.worldPercentage.double.map { abs($0 - area / earth * 100) < 1e-12 } == true)
    #expect(
      statistics.cellPercentage.double.map { abs($0 - cells / (266_400 * 532_800) * 100) < 1e-15 }
        == true)
    let land = try #require(statistics.landAreaSquareKilometers.double)
    #expect(land > 0 && land < area)
    // The denominator of each percentage is also in the output.
    #expect(statistics.worldAreaSquareKilometers.double.map { abs($0 / earth - 1) < 1e-12 } == true)
    #expect(statistics.worldCells.int == 266_400 * 532_800)
    let worldLand = try #require(statistics.worldLandAreaSquareKilometers.double)
    #expect((144e6...150e6).contains(worldLand))
    #expect(
      statistics.landPercentage.double.map { abs($0 - land / worldLand * 100) < 1e-15 } == true)
    let words = try bench.roqua("stats").out
    for text in ["510,065,6", "land and sea, km²", "land, km²", "141,937,920,000"] {
      #expect(words.contains(text), "\(text) in \(words)")
    }
  }

  @Test func `each percentage of a place is printed with the area that it refers to`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for verb in ["stats", "coverage"] {
      let out = try bench.roqua(verb, "--by", "country").out
      let line = try #require(out.split(separator: "\n").first { $0.contains("Fiji") })
      let fiji = try #require(
        bench.json(verb, "--by", "country").breakdowns.country.elements.first {
          $0.countryCode.string == "FJ"
        })
      // Explored area including sea, explored land, total land, percentage of land.
      let (all, land) = (fiji.areaSquareKilometers.double, fiji.landAreaSquareKilometers.double)
      let total = try #require(fiji.totalLandAreaSquareKilometers.double)
      let columns = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      let whole = Int(total.rounded())
      #expect(
        try columns[1...4] == [
          String(format: "%.2f", #require(all)), String(format: "%.2f", #require(land)),
          String(format: "%d,%03d", whole / 1_000, whole % 1_000), "0.0036",
        ])
      #expect(try #require(land) < #require(all))
    }
  }

  @Test func `imported cells add no fixes or regions, and the text output says so`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let file = bench.folder.file("cells.rqcv")
    #expect(try bench.roqua("coverage", "--export", file).status == 0)
    let other = try Bench()
    #expect(try other.roqua("coverage", "--import", file).status == 0)
    let statistics = try other.json("stats", "--by", "country")
    #expect(statistics.sources.int == 1 && statistics.cellSources.int == 1)
    #expect(statistics.countries.int == 0 && statistics.breakdowns.country.elements.count >= 3)
    let words = try other.roqua("stats", "--by", "country").out
    #expect(words.contains("\nno visits: 1 source of cells without times\n"))
    let overview = try other.roqua().out
    #expect(overview.contains("\nexplored  ") && !overview.contains("\nreached"), "\(overview)")
    #expect(try bench.roqua().out.contains("\nreached"))
    let fiji = try #require(words.split(separator: "\n").first { $0.contains("Fiji") })
    #expect(fiji.hasSuffix("  0"), "no visited region, so no dates: \(fiji)")
    // Importing them again reports a duplicate with the same number of cells, none of them new.
    let again = try other.json("coverage", "--import", file)
    #expect(again.status.string == "duplicate" && again.cellsAdded.int == 0)
    #expect(again.cells == statistics.cells)
    #expect(try other.roqua("coverage", "--import", file).out.contains("already imported"))
  }

  @Test(arguments: [("utc", "UTC", "2024-03-19"), ("local", "local", "2024-03-20")])
  func `the dates of places say by which clock they are`(
    zone: String, label: String, date: String
  ) throws {
    let bench = try Bench()
    try bench.importSamples()
    let lines = try bench.roqua("stats", "--by", "country", "--time-zone", zone).out
      .components(separatedBy: "\n")
    let header = try #require(lines.firstIndex { $0.hasPrefix("country ") })
    #expect(lines[header - 1].hasSuffix("  visited  dates"))
    #expect(lines[header].hasSuffix("  regions  \(label)"))
    // The boat trip began on the evening of the day before by UTC.
    #expect(lines.contains { $0.hasPrefix("Fiji ") && $0.hasSuffix("  \(date)") })
  }

  @Test func `an empty store has explored nothing`() throws {
    let bench = try Bench()
    #expect(try bench.roqua("settings", "visitGapMinutes", "30").status == 0)
    let arguments =
      ["stats"] + ["country", "region", "city", "year", "month", "day"].flatMap { ["--by", $0] }
    let result = try bench.roqua(arguments + ["--json"])
    #expect(result.status == 0)
    let statistics = try JSONTree(parsing: result.out)
    #expect(statistics.names == Self.members.union(Self.denominators).union(["breakdowns"]))
    for name in Self.members.subtracting(["flights"]) {
      #expect(statistics[name].double == 0, "\(name)")
    }
    #expect(
      statistics.flights
        == .object([
          "count": .number(0), "keptFixes": .number(0), "distanceKilometers": .number(0),
        ]))
    #expect(statistics.breakdowns.members.values.allSatisfy { $0.elements.isEmpty })
    #expect(try bench.roqua(arguments).status == 0)
  }

  @Test(arguments: ["country", "region", "city"])
  func `breakdowns by place add up to the totals`(level: String) throws {
    let bench = try Bench()
    try bench.importSamples()
    let statistics = try bench.json("stats", "--by", level)
    #expect(statistics.breakdowns.names == [level])
    let rows = statistics.breakdowns[level].elements
    var expected = Self.shareMembers
    if level != "country" { expected.formUnion(["regionCode", "region"]) }
    if level == "city" { expected.insert("city") }
    #expect(rows.allSatisfy { $0.names == expected })
    for name in ["cells", "visitedRegions", "visits"] {
      #expect(rows.compactMap { $0[name].int }.reduce(0, +) == statistics[name].int, "\(name)")
    }
    let area = rows.compactMap(\.areaSquareKilometers.double)
    let total = try #require(statistics.areaSquareKilometers.double)
    #expect(abs(area.reduce(0, +) - total) < 1e-9 * total)
    #expect(area == area.sorted(by: >))
    if level != "city" {
      let land = rows.compactMap(\.landAreaSquareKilometers.double).reduce(0, +)
      #expect(abs(land - (statistics.landAreaSquareKilometers.double ?? 0)) < 1e-9 * total)
    }
    #expect(Set(rows.map(\.countryCode.string)).isSuperset(of: ["FR", "DE", "FJ"]))
    for row in rows {
      guard let percentage = row.percentage.double else { continue }
      let (land, all) = (
        row.landAreaSquareKilometers.double, row.totalLandAreaSquareKilometers.double
      )
      #expect((0...100).contains(percentage))
      #expect(land.flatMap { land in all.map { abs(land / $0 * 100 - percentage) < 1e-9 } } == true)
    }
    let words = try bench.roqua("stats", "--by", level)
    #expect(words.out.contains("\n\(level)  "))
    #expect(words.out.contains("Fiji"))
  }

  @Test func `breakdowns by time add up to the totals and agree with each other`() throws {
    let bench = try Bench()
    try bench.importSamples()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(50, 8), count: 4, isDated: false), to: "undated.gpx")
    #expect(try bench.roqua("import", "undated.gpx").status == 0)
    let statistics = try bench.json("stats", "--by", "day", "--by", "year", "--by", "month")
    #expect(statistics.breakdowns.names == ["year", "month", "day"])
    let lengths = ["year": 4, "month": 7, "day": 10]
    for (name, length) in lengths {
      let rows = statistics.breakdowns[name].elements
      #expect(rows.allSatisfy { $0.names == ["period", "newCells", "newAreaSquareKilometers"] })
      #expect(rows.compactMap(\.newCells.int).reduce(0, +) == statistics.cells.int)
      let periods = rows.map(\.period.string)
      #expect(periods.dropLast().allSatisfy { $0?.count == length })
      #expect(periods.dropLast().compactMap(\.self) == periods.compactMap(\.self).sorted())
      #expect(periods.last == .some(nil), "rows without a date come last")
    }
    #expect(
      statistics.breakdowns.day.elements.map(\.period.string) == ["2024-03-19", "2024-09-14", nil])
    let words = try bench.roqua("stats", "--by", "month")
    #expect(words.out.contains("\nmonth    newly explored  new cells\nUTC "))
    #expect(words.out.contains("2024-09"))
    #expect(words.out.contains("no date"))
  }

  @Test func `statistics of one day name it once`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let day = ["--from", "2024-09-14", "--to", "2024-09-14"]
    let words = try bench.roqua(["stats"] + day).out
    #expect(words.contains(" newly explored on 2024-09-14"), "\(words)")
    let tiles = try bench.roqua(["coverage", "--tiles", "14"] + day).out
    #expect(tiles.contains(" first visited on 2024-09-14"), "\(tiles)")
  }

  @Test func `a percentage has two significant digits, or the decimals of the setting`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let words = try bench.roqua("stats")
    #expect(words.status == 0)
    #expect(words.err == "")
    #expect(words.out.contains("; 2 sources of fixes\n"))
    #expect(words.out.contains("3 countries"))
    let land = try #require(bench.json("stats").landPercentage.double)
    #expect(words.out.contains(String(format: "%.7f %% of the world's land", land)))
    #expect(try bench.roqua("settings", "percentageDecimals", "8").status == 0)
    let percentage = try #require(bench.json("stats").worldPercentage.double)
    let set = try bench.roqua("stats").out
    #expect(set.contains(String(format: "%.8f", percentage)))
    #expect(set.contains(String(format: "%.8f %% of the world's land", land)))
  }

  @Test func `output to a pipe has no colors, whatever the terminal`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for environment in [["NO_COLOR": "1"], ["TERM": "xterm-256color", "CLICOLOR_FORCE": "0"]] {
      for arguments in [
        ["stats", "--by", "country"], ["import", PackageFolder.samples], ["near", "48.5", "7.8"],
      ] {
        #expect(try bench.roqua(arguments, environment: environment).controlCharacters == [])
      }
    }
  }

  @Test func `an unknown breakdown is wrong usage`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for arguments in [
      ["stats", "--by", "planet"], ["stats", "--by"], ["stats", "extra"],
      ["stats", "--top", "3"], ["stats", "--by", "day", "--top", "0"],
      ["stats", "--country", "XX"],
      ["stats", "--city", "Strassborg"], ["stats", "--from", "2024-13"],
      ["stats", "--from", "2025", "--to", "2024"], ["stats", "--by", "day", "--time-zone", "CET"],
    ] {
      #expect(try bench.roqua(arguments).status == 64)
    }
  }
}
