import GeoStore
import Geocode
import Testing

@testable import Roqua

/// Regions and cities by name, of the data and of a store with a few places.
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
    ("Kiev", "Kyiv", "UA"), ("Mecca", "Makkah", "SA"), ("København", "Copenhagen", "DK"),
  ])
  func `a city is found by its English and its local name`(
    typed: String, name: String, code: String
  ) throws {
    let store = [stored(code, "Somewhere", name)]
    #expect(try place(city: typed, stored: store).isInStore)
    #expect(try place(country: code, city: typed, stored: store).isInStore)
  }

  @Test func `another name of a city is not that of its namesakes in other countries`() throws {
    let florences = [stored("US", "Alabama", "Florence")]
    let italian = try place(city: "Firenze", stored: florences)
    #expect(!italian.isInStore)
    #expect(italian.country?.code == "IT")
    #expect(italian.label == "Florence, Italy")
    #expect(try place(city: "Florence", stored: florences).isInStore)
    #expect(try place(city: "Florence", stored: florences).country == nil)
  }

  @Test func `a city is looked for in the region that is named`() throws {
    #expect(try place(region: "Bavaria", city: "Munich").label == "Munich, Bavaria, Germany")
    let texan = try place(region: "texas", city: "paris", stored: [stored("US", "Texas", "Paris")])
    #expect(texan.isInStore)
    #expect(texan.label == "Paris, Texas, United States")
    #expect(texan.namesakes.isEmpty)
    // The store's regions count too: a village across the border has the city of the other side.
    let ulm = try place(region: "Bavaria", city: "Ulm", stored: [stored("DE", "Bavaria", "Ulm")])
    #expect(ulm.isInStore)
  }

  @Test(arguments: [
    ("Paris", "No city in Bavaria is called \"Paris\"; there is one in France"),
    ("Köln", "No city in Bavaria is called \"Köln\"; there is one in North Rhine-Westphalia"),
    ("Munichh", "No city is called \"Munichh\". Did you mean Munich (Germany)"),
  ])
  func `a city that only other regions have is an error that names them`(
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

  @Test func `an error shows only as much of a name as helps`() {
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
