import Foundation
import Geodesy
import TestSupport
import Testing

/// Places in the user's language, and places that are named in another one.
@Suite struct LanguageTests {
  @Test func `where names country, region and city in the language that was asked for`() throws {
    let bench = try Bench()
    let text = try bench.roqua("where", "48.137", "11.575", "--language", "de")
    #expect(text.out.contains("Deutschland (DE)"))
    #expect(text.out.contains("Bayern (DE-BY)"))
    #expect(text.out.contains("München, "))
    // English names of languages, and their own.
    for name in ["German", "deutsch", "de-AT", "DE"] {
      #expect(try bench.roqua("where", "48.137", "11.575", "--language", name).out == text.out)
    }
    let english = try bench.roqua(
      "where", "48.137", "11.575", "--language", "en", environment: ["LANG": "de_DE.UTF-8"])
    #expect(english.out.contains("Bavaria (DE-BY)"))
    let system = try bench.roqua(
      "where", "48.137", "11.575", environment: ["LANG": "de_DE.UTF-8"])
    #expect(system.out == text.out)
  }

  @Test func `JSON is in English unless a language is named, and has the local names`() throws {
    let bench = try Bench()
    let point = ["where", "48.137", "11.575", "--json"]
    let plain = try bench.roqua(point, environment: ["LANG": "de_DE.UTF-8"]).out
    for member in [
      #""country":"Germany""#, #""region":"Bavaria""#, #""regionLocalName":"Bayern""#,
      #""city":"Munich""#, #""localName":"München""#,
    ] {
      #expect(plain.contains(member), "\(member)")
    }
    let french = try bench.roqua(point + ["--language", "fr"]).out
    for member in [
      #""country":"Allemagne""#, #""region":"Bavière""#, #""regionLocalName":"Bayern""#,
      #""city":"Munich""#, #""localName":"München""#,
    ] {
      #expect(french.contains(member), "\(member)")
    }
  }

  @Test func `where --batch answers in the language too, each line as where alone`() throws {
    let bench = try Bench()
    let input = "48.137,11.575\n35.69,139.69\n"
    let batch = try bench.roqua("where", "--batch", "--json", "--language", "ja", input: input)
    let lines = batch.out.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    for (line, point) in zip(lines, [["48.137", "11.575"], ["35.69", "139.69"]]) {
      let alone = try bench.roqua(["where"] + point + ["--json", "--language", "ja"])
      #expect(alone.out == line + "\n")
    }
    #expect(lines[0].contains(#""city":"ミュンヘン""#))
  }

  @Test func `an unknown language is wrong usage that lists the known ones`() throws {
    let bench = try Bench()
    for command in [["where", "0", "0"], ["places"], ["near", "0", "0"], ["stats"]] {
      let answer = try bench.roqua(command + ["--language", "klingon"])
      #expect(answer.status == 64)
      #expect(answer.err.contains(#"There are no names in the language "klingon"."#))
      #expect(answer.err.contains("ar, bg, ca"))
    }
  }

  /// A store with regions in Munich and Cape Town.
  private func travels() throws -> Bench {
    let bench = try Bench()
    for name in ["2023-08-02-munich-ride.gpx", "2024-02-11-cape-town-walk.gpx"] {
      try #require(try bench.roqua("import", PackageFolder.sample(name)).status == 0)
    }
    return bench
  }

  @Test func `tables name regions and cities in the language, JSON as the store does`() throws {
    let bench = try travels()
    let cities = try bench.roqua("places", "--by", "city", "--all", "--language", "de").out
    for name in ["München, Deutschland", "Kapstadt, Südafrika"] {
      #expect(cities.contains(name), "\(name)")
    }
    let regions = try bench.roqua("stats", "--by", "region", "--language", "tr").out
    #expect(regions.contains("Bavyera, Almanya"))
    let near = try bench.roqua("near", "48.137", "11.575", "--language", "it").out
    #expect(near.contains("Monaco di Baviera, Germania"))
    let json = try bench.roqua(
      "near", "48.137", "11.575", "--language", "it", "--json"
    ).out
    #expect(json.contains(#""city":"Munich""#))
  }

  @Test func `sentences name the place of an option in the language`() throws {
    let bench = try travels()
    let munich = try bench.roqua("stats", "--city", "Munich", "--language", "de").out
    #expect(munich.contains("explored in München, Deutschland\n"))
    let bavaria = try bench.roqua("coverage", "--region", "DE-BY", "--language", "tr").out
    #expect(bavaria.contains("explored in Bavyera, Almanya\n"))
    let nothing = try bench.roqua("within", "--country", "Hollanda", "--language", "tr", "--count")
    #expect((nothing.out + nothing.err).contains("nothing explored in Hollanda"))
    let english = try bench.roqua("stats", "--city", "München").out
    #expect(english.contains("explored in Munich, Germany\n"))
  }

  @Test func `a region and a city are found by their names in other languages`() throws {
    let bench = try travels()
    func count(_ option: String, _ name: String) throws -> Int? {
      try bench.document(["within", option, name, "--count"]).count.int
    }
    let bavaria = try #require(try count("--region", "Bavaria"))
    #expect(bavaria > 0)
    for name in ["Bayern", "BAYERN", "Bavyera", "Baviera", "バイエルン自由州"] {
      #expect(try count("--region", name) == bavaria, "\(name)")
    }
    let capeTown = try #require(try count("--city", "Cape Town"))
    #expect(capeTown > 0)
    for name in ["Kapstadt", "Ciudad del Cabo", "Le Cap", "Кейптаун"] {
      #expect(try count("--city", name) == capeTown, "\(name)")
    }
    let guess = try bench.roqua("within", "--region", "Bayerm", "--count")
    #expect(guess.status == 64)
    #expect(guess.err.contains("Did you mean Bayern (Germany)?"))
    let country = try bench.roqua("within", "--country", "Deutchland", "--count")
    #expect(country.status == 64)
    #expect(country.err.contains("Did you mean Germany (DE)?"))
  }
}
