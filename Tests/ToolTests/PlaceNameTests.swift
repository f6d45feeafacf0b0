import Foundation
import Geodesy
import TestSupport
import Testing

/// Countries, regions and cities as people name them.
@Suite struct PlaceNameTests {
  private func count(_ bench: Bench, _ arguments: String...) throws -> Int? {
    try bench.document(["within"] + arguments + ["--count"]).count.int
  }

  @Test func `a country has a code and names in many languages`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let french = try count(bench, "--country", "FR")
    #expect(french ?? 0 > 0)
    for name in ["fr", "France", "FRANCE", "frankreich", "Francia", "フランス", " france ", " fr "] {
      #expect(try count(bench, "--country", name) == french, "\(name)")
    }
    // In the user's language first.
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

  @Test func `a name that nothing has is wrong usage, with the nearest guesses`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for (arguments, message) in [
      (
        ["--country", "Germny"],
        "Error: No country is called \"Germny\". Did you mean Germany (DE)?"
      ),
      (
        ["--city", "Strasburg", "--country", "FR"],
        "Error: No city in France is called \"Strasburg\"; there is one in "
          + "United States and Germany. Did you mean Strasbourg (France)"
      ),
      (
        ["--city", "Instanbul"],
        "Error: No city is called \"Instanbul\". Did you mean Istanbul (Türkiye)"
      ),
      (
        ["--region", "Bavria"],
        "Error: No region is called \"Bavria\". Did you mean Bavaria (Germany)"
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
    // A wrong country is wrong usage also where there is no store.
    let fresh = try Bench()
    #expect(try fresh.roqua("within", "--country", "Germny").status == 64)
    #expect(!fresh.hasStore)
  }

  @Test func `of a place that was not explored the tool says so`() throws {
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
    // Something is there, only not then.
    #expect(try bench.roqua("within", "--country", "FR", "--to", "1999").out == "0 regions\n")
  }

  @Test func `a city of the same name in several countries is found in all, and they are named`()
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
    #expect(both.err == "roqua: note: Paris is in France, United States; --country picks one\n")
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
  /// The document of some arguments.
  fileprivate func document(_ arguments: [String]) throws -> JSONTree {
    let result = try roqua(arguments + ["--json"])
    #expect(result.status == 0, "\(arguments): \(result.err)")
    #expect(result.err == "")
    return try JSONTree(parsing: result.out)
  }
}
