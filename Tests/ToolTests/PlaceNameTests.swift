import Foundation
import Geodesy
import TestSupport
import Testing

/// Countries, regions and cities under the names that people use.
@Suite struct PlaceNameTests {
  private func count(_ bench: Bench, _ arguments: String...) throws -> Int? {
    try bench.document(["within"] + arguments + ["--count"]).count.int
  }

  @Test func `a country is found by its code and by its names in many languages`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let french = try count(bench, "--country", "FR")
    #expect(french ?? 0 > 0)
    for name in ["fr", "France", "FRANCE", "frankreich", "Francia", "フランス", " france ", " fr "] {
      #expect(try count(bench, "--country", name) == french, "\(name)")
    }
    // Names in the user's language come first.
    let turkish = try bench.roqua(
      "within", "--country", "almanya", "--count", environment: ["LANG": "tr_TR.UTF-8"])
    let german = try #require(try count(bench, "--country", "DE"))
    #expect(turkish.out == "\(german) regions\n")
  }

  @Test func `a city or a region is found in any case, with or without accents`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let kehl = try count(bench, "--city", "Kehl")
    #expect(kehl ?? 0 > 0)
    for name in ["kehl", "KEHL", "Kéhl"] { #expect(try count(bench, "--city", name) == kehl) }
    #expect(try count(bench, "--city", "kehl", "--country", "Germany") == kehl)
    let east = try count(bench, "--region", "Grand Est")
    #expect(east ?? 0 > 0)
    #expect(try count(bench, "--region", "grand-est") == east)
    #expect(try count(bench, "--region", "GRAND EST", "--country", "france") == east)
  }

  @Test func `a region has its ISO 3166-2 code, and a country its code of three letters`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let east = try #require(try count(bench, "--region", "Grand Est"))
    #expect(east > 0)
    for code in ["FR-GES", "fr-ges", " Fr-Ges "] {
      #expect(try count(bench, "--region", code) == east)
      #expect(try count(bench, "--region", code, "--country", "FRA") == east)
    }
    for code in ["FRA", "fra"] {
      #expect(try count(bench, "--country", code) == count(bench, "--country", "FR"))
    }
    #expect(
      try count(bench, "--region", "DE-BW", "--city", "Kehl") == count(bench, "--city", "Kehl"))
    #expect(
      try bench.roqua("within", "--region", "jp-13").out.hasSuffix("explored in Tokyo, Japan\n"))
    // The same part by its name and by its code, in each command.
    for command in ["stats", "coverage", "places"] {
      let breakdown = command == "places" ? ["--all"] : []
      let byName = try bench.document(
        [command, "--by", "region"] + breakdown + ["--region", "Grand Est", "--country", "FR"])
      let byCode = try bench.document(
        [command, "--by", "region"] + breakdown + ["--region", "fr-ges"])
      #expect(byName == byCode, "\(command)")
      #expect("\(byCode)".contains("FR-GES"), "\(command)")
    }
  }

  @Test func `JSON has the code next to the name of each region`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let expected: Set<String?> = ["FR-GES", "DE-BW", "FJ-N"]
    for command in ["stats", "coverage"] {
      for level in ["region", "city"] {
        let document = try bench.json(command, "--by", level)
        let rows = (level == "city" ? document.breakdowns.city : document.breakdowns.region)
          .elements
        #expect(Set(rows.map(\.regionCode.string)).subtracting([nil]) == expected)
        for row in rows { #expect((row.region == .null) == (row.regionCode == .null)) }
      }
    }
    for level in ["region", "city"] {
      for row in try bench.json("places", "--all", "--by", level).places.elements {
        #expect(expected.contains(row.regionCode.string))
      }
    }
    let regions = try bench.json("within", "-90", "-180", "90", "180").regions.elements
    #expect(Set(regions.map(\.regionCode.string)).subtracting([nil]) == expected)
    #expect(
      try bench.json("places", "--all").places.elements.allSatisfy { row in
        !row.names.contains("regionCode")
      })
  }

  @Test func `an unknown place name is wrong usage, and the error suggests the nearest names`()
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    for (arguments, message) in [
      (
        ["--country", "Germny"],
        "Error: No country is called \"Germny\". Did you mean Germany (DE)?"
      ),
      (
        ["--country", "Scotland"],
        "Error: No country is called \"Scotland\": it is a region, so use --region.\n"
      ),
      (
        ["--region", "Iceland"],
        "Error: No region is called \"Iceland\": it is a country, so use --country.\n"
      ),
      (
        ["--city", "bavaria"],
        "Error: No city is called \"bavaria\": it is a region, so use --region.\n"
      ),
      (
        ["--city", "Boston", "--country", "FR"],
        "Error: No city in France is called \"Boston\"; there is one in "
          + "United States, United Kingdom, Philippines and Ireland. Did you mean Betton (France)"
      ),
      (
        ["--city", "Strassbourg", "--country", "FR"],
        "Error: No city is called \"Strassbourg\". Did you mean Strasbourg (France)"
      ),
      (
        ["--city", "Instanbul"],
        "Error: No city is called \"Instanbul\". Did you mean Istanbul (Türkiye)"
      ),
      (
        ["--region", "Bavria"],
        "Error: No region is called \"Bavria\". Did you mean Bavaria (Germany)"
      ),
      (["--region", "DE-BX"], "Error: No region has the code \"DE-BX\". Did you mean "),
      (["--region", "xx-1"], "Error: No region has the code \"xx-1\"."),
      (
        ["--region", "DE-BY", "--country", "FR"],
        "Error: No region in France has the code \"DE-BY\"; there is one in Germany."
      ),
      (
        ["--city", "Strasbourg", "--country", "DE"],
        "Error: No city in Germany is called \"Strasbourg\"; there is one in France"
      ),
      (
        ["--region", "Bavaria", "--city", "Paris"],
        "Error: No city in Bavaria is called \"Paris\"; there is one in France"
      ),
      (
        ["--country", "Congo"],
        "Error: Several countries are called \"Congo\": Democratic Republic of the Congo (CD) and "
          + "Republic of the Congo (CG). Give the code."
      ),
      (["--country", "XX"], "Error: No country is called \"XX\". Did you mean "),
      (["--city", "\u{1B}[31m?"], "Error: No city is called \"\\u{1b}[31m?\""),
    ] {
      for json in [[], ["--json"], ["--count"]] {
        let result = try bench.roqua(["within"] + arguments + json)
        #expect(result.status == 64, "\(arguments)")
        #expect(result.out == "", "\(arguments)")
        #expect(result.err.hasPrefix(message), "\(result.err)")
      }
    }
    // An unknown country is wrong usage even if there is no store.
    let fresh = try Bench()
    #expect(try fresh.roqua("within", "--country", "Germny").status == 64)
    #expect(try fresh.roqua("within", "--region", "DE-XX").status == 64)
    #expect(try fresh.roqua("stats", "--region", "DE-XX").status == 64)
    #expect(!fresh.hasStore)
  }

  @Test func `a query for an unexplored place says that nothing is explored there`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for (arguments, place) in [
      (["--country", "japan"], "Japan"), (["--city", "istanbul"], "Istanbul, Türkiye"),
      (["--region", "bavaria"], "Bavaria, Germany"),
    ] {
      let result = try bench.roqua(["within"] + arguments)
      #expect(result.status == 0)
      #expect(result.err == "")
      #expect(result.out == "0 regions: nothing explored in \(place)\n")
      #expect(try bench.roqua(["within"] + arguments + ["--count"]).out == result.out)
      #expect(try bench.document(["within"] + arguments).regions.elements.isEmpty)
    }
    // The place is explored, but not in this period.
    #expect(try bench.roqua("within", "--country", "FR", "--to", "1999").out == "0 regions\n")
  }

  @Test func `cities of one name in one country are distinguished by their regions`() throws {
    let bench = try Bench()
    for (file, center) in [
      ("west", Coordinate(45.523, -122.676)), ("east", Coordinate(43.661, -70.256)),
    ] {
      try bench.folder.write(TrackText.gpx(from: center, count: 40), to: "\(file).gpx")
    }
    #expect(try bench.roqua("import", "west.gpx", "east.gpx").status == 0)
    let note = "roqua: note: Portland, United States is in Maine, Oregon; --region selects one\n"
    for command in [
      ["stats", "--by", "city"], ["coverage", "--by", "city"], ["places", "--all"],
    ] {
      let result = try bench.roqua(command + ["--city", "portland"])
      #expect(result.err == note)
      #expect(result.out.contains("Portland, Oregon, United States"), "\(result.out)")
      #expect(result.out.contains("Portland, Maine, United States"), "\(result.out)")
    }
    let one = try bench.roqua("stats", "--by", "city", "--city", "portland", "--region", "US-ME")
    #expect(one.err == "")
    #expect(one.out.contains("Portland, United States"))
  }

  @Test func `a city name shared by several countries finds all of them, and a note names them`()
    throws
  {
    let bench = try Bench()
    for (name, place) in [
      ("us", Coordinate(33.6609, -95.5555)), ("fr", Coordinate(48.8566, 2.3522)),
    ] {
      try bench.folder.write(TrackText.gpx(from: place, count: 3), to: "\(name).gpx")
      #expect(try bench.roqua("import", "\(name).gpx").status == 0)
    }
    let both = try bench.roqua("within", "--city", "paris")
    #expect(both.status == 0)
    #expect(both.err == "roqua: note: Paris is in France, United States; --country selects one\n")
    let one = try bench.roqua("within", "--city", "paris", "--country", "usa")
    #expect(one.err == "")
    let counts = try (
      count(bench, "--city", "paris"), count(bench, "--city", "paris", "--country", "us"),
      count(bench, "--city", "paris", "--country", "fr")
    )
    #expect(counts.1 ?? 0 > 0 && counts.2 ?? 0 > 0)
    #expect(counts.0 == (counts.1 ?? 0) + (counts.2 ?? 0))
  }
}

extension Bench {
  /// The JSON document that some arguments print.
  func document(_ arguments: [String]) throws -> JSONTree {
    let result = try roqua(arguments + ["--json"])
    #expect(result.status == 0, "\(arguments): \(result.err)")
    #expect(result.err == "")
    return try JSONTree(parsing: result.out)
  }
}
