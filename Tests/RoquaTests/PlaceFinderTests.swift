import GeoStore
import Geocode
import Geodesy
import Testing

@testable import Roqua

/// Regions and cities by name, in the bundled data and in a store with a few places.
@Suite struct PlaceFinderTests {
  private let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  private func place(
    country: String? = nil, region: String? = nil, city: String? = nil,
    stored: [PlaceNames] = []
  ) throws -> NamedPlace {
    try PlaceFinder(geocoder: geocoder, stored: stored).place(
      country: country.flatMap { CountryIndex(code: $0) }, region: region, city: city)
  }

  private func stored(_ code: String, _ region: String, _ city: String) -> PlaceNames {
    let country = CountryIndex(code: code).flatMap { geocoder.name(of: $0) }
    return PlaceNames(countryCode: code, country: country, region: region, city: city)
  }

  @Test(arguments: [
    ("Cologne", "Köln", "DE"), ("Köln", "Cologne", "DE"), ("munchen", "Munich", "DE"),
    ("MUENCHEN", "Munich", "DE"), ("Munich", "München", "DE"), ("wien", "Vienna", "AT"),
    ("Mu\u{308}nchen", "Munich", "DE"), ("roma", "Rome", "IT"), ("Αθηνα", "Athens", "GR"),
    ("Kiev", "Kyiv", "UA"), ("Makkah", "Mecca", "SA"), ("New York City", "New York", "US"),
    ("København", "Copenhagen", "DK"),
  ])
  func `a city is found by its English and its local name`(
    typed: String, name: String, code: String
  ) throws {
    let store = [stored(code, "Somewhere", name)]
    #expect(try place(city: typed, stored: store).isInStore)
    #expect(try place(country: code, city: typed, stored: store).isInStore)
  }

  @Test func `of regions of one name, the names have the code of the one in the country`() throws {
    let store = [stored("IS", "Capital Region", "Reykjavík")]
    let names = try place(region: "Capital Region", stored: store).names
    #expect(names.countryCode == "IS" && names.region == "Capital Region")
    #expect(names.regionCode == "IS-1")
    #expect(try place(country: "DK", region: "Capital Region").names.regionCode == "DK-84")
  }

  @Test func `an alternative name of a city does not match cities of the same main name elsewhere`()
    throws
  {
    let florences = [stored("US", "Alabama", "Florence")]
    let italian = try place(city: "Firenze", stored: florences)
    #expect(!italian.isInStore)
    #expect(italian.country?.code == "IT")
    #expect(italian.label == "Florence, Italy")
    #expect(try place(city: "Florence", stored: florences).isInStore)
    #expect(try place(city: "Florence", stored: florences).country == nil)
  }

  @Test func `a region is found by its ISO 3166-2 code, which names its country too`() throws {
    for code in ["DE-BY", "de-by", " De-By "] {
      let bavaria = try place(region: code)
      #expect(bavaria.regionCode == "DE-BY" && bavaria.country?.code == "DE")
      #expect(bavaria.label == "Bavaria, Germany")
      #expect(bavaria.level == .region)
    }
    #expect(try place(region: "Bavaria").regionCode == nil)
    #expect(try place(region: "DE-BY", city: "munich").label == "Munich, Bavaria, Germany")
    #expect(throws: PlaceNameError.self) { try place(region: "DE-BY", city: "Paris") }

    // Two divisions of one name: the code distinguishes them, the name does not.
    let stored = ["TW-CYI", "TW-CYQ"].map {
      PlaceNames(countryCode: "TW", country: "Taiwan", regionCode: $0, region: "Chiayi")
    }
    #expect(try place(region: "TW-CYI", stored: [stored[0]]).isInStore)
    #expect(try !place(region: "TW-CYI", stored: [stored[1]]).isInStore)
    var query = RegionQuery()
    try place(region: "tw-cyq", stored: stored).restrict(&query)
    #expect(query.regionCode == "TW-CYQ" && query.regions == nil && query.countryCode == "TW")
  }

  @Test func `an unknown code of a region proposes codes of its country`() throws {
    for (code, guess) in [("DE-BX", "Bavaria (DE-BY)"), ("US-C4", "California (US-CA)")] {
      let error = #expect(throws: PlaceNameError.self) { try place(region: code) }
      guard case .unknown(.region, code, let guesses)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(guesses.count == NameGuesses.capacity, "\(guesses)")
      #expect(guesses.allSatisfy { $0.contains("(\(code.prefix(2))-") }, "\(guesses) \(guess)")
    }
    let elsewhere = #expect(throws: PlaceNameError.self) {
      try place(country: "FR", region: "DE-BY")
    }
    #expect(
      elsewhere?.description
        == "No region in France has the code \"DE-BY\"; there is one in Germany.")
  }

  @Test func `a city is searched for in the named region`() throws {
    #expect(try place(region: "Bavaria", city: "Munich").label == "Munich, Bavaria, Germany")
    let texan = try place(region: "texas", city: "paris", stored: [stored("US", "Texas", "Paris")])
    #expect(texan.isInStore)
    #expect(texan.label == "Paris, Texas, United States")
    #expect(texan.namesakes.isEmpty)
    // The store's cities count as well, if the data do not know them.
    let nowhere = stored("DE", "Bavaria", "Nowhere")
    #expect(try place(region: "Bavaria", city: "Nowhere", stored: [nowhere]).isInStore)
  }

  @Test func `a city lies in its home region, with the parts of it in neighboring regions`() throws
  {
    let stored = [
      stored("DE", "Bavaria", "Ulm"), stored("DE", "Baden-Württemberg", "Ulm"),
      stored("DE", "Bavaria", "Neu-Ulm"),
    ]
    do {
      let found = try place(region: "Bavaria", city: "Ulm", stored: stored)
      Issue.record("\(found.label)")
    } catch let error as PlaceNameError {
      #expect("\(error)".hasPrefix("No city in Bavaria is called \"Ulm\""), "\(error)")
      #expect("\(error)".contains("Baden-Württemberg"), "\(error)")
      #expect(!"\(error)".contains("mean Ulm"), "\(error)")
    }
    for region in ["Baden-Württemberg", "DE-BW"] {
      let ulm = try place(region: region, city: "Ulm", stored: stored)
      var query = RegionQuery()
      ulm.restrict(&query)
      #expect(query.regions == ["Baden-Württemberg", "Bavaria"] && query.regionCode == nil)
      #expect(query.countryCode == (region == "DE-BW" ? "DE" : nil) && query.cities == ["Ulm"])
      #expect(ulm.isInStore)
    }
    // A region alone is the ground in it.
    var query = RegionQuery()
    try place(region: "DE-BY", stored: stored).restrict(&query)
    #expect(query.regionCode == "DE-BY" && query.regions == nil)
  }

  @Test(arguments: [
    ("Paris", "No city in Bavaria is called \"Paris\"; there is one in France"),
    ("Köln", "No city in Bavaria is called \"Köln\"; there is one in North Rhine-Westphalia"),
    ("Munichh", "No city is called \"Munichh\". Did you mean Munich (Germany)"),
  ])
  func `a city that is only in other regions is an error that names those regions`(
    city: String, message: String
  ) throws {
    for country in [nil, "DE"] {
      do {
        let found = try place(
          country: country, region: "Bavaria", city: city,
          stored: [stored("DE", "Bavaria", "Munich"), stored("FR", "Île-de-France", "Paris")])
        Issue.record("\(found.label)")
      } catch let error as PlaceNameError {
        #expect("\(error)".hasPrefix(message), "\(error)")
      }
    }
  }

  @Test func `an error truncates a long name`() {
    let name = String(repeating: "x", count: 100_000)
    for error in [
      PlaceNameError.unknown(.city, name: name, guesses: []),
      .elsewhere(.city, name: name, place: "Italy", elsewhere: ["France"], guesses: []),
      .ambiguous(name: name, candidates: ["A (AA)", "B (BB)"]),
    ] {
      #expect("\(error)".count < 200)
      #expect("\(error)".contains("xxx…\""))
    }
  }
}
