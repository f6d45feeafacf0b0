import Foundation
import Geocode
import Testing

@Suite struct PlaceTests {
  private static var texts: [WritableKeyPath<Place, String?>] {
    [
      \.countryCode, \.countryCodeAlpha3, \.country, \.continent, \.regionCode, \.region,
      \.regionLocalName, \.district, \.city, \.localName, \.quarter, \.timeZone, \.sea,
    ]
  }

  private static let full = Place(
    countryCode: "A", countryCodeAlpha3: "B", country: "C", continent: "D", regionCode: "E",
    region: "F", regionLocalName: "G", district: "H", city: "I", localName: "J",
    cityDistanceMeters: 1.5, quarter: "K", timeZone: "L", sea: "M")

  @Test func `each property is the argument of its name`() {
    #expect(Self.texts.compactMap { Self.full[keyPath: $0] }.joined() == "ABCDEFGHIJKLM")
    #expect(Self.full.cityDistanceMeters == 1.5)
    #expect(Self.texts.allSatisfy { Place()[keyPath: $0] == nil })
  }

  @Test func `changing a property changes no other one`() {
    for text in Self.texts {
      var place = Self.full
      place[keyPath: text] = "changed"
      #expect(place != Self.full)
      #expect(Self.texts.filter { place[keyPath: $0] != Self.full[keyPath: $0] } == [text])
    }
    var place = Self.full
    place.cityDistanceMeters = nil
    #expect(place != Self.full)
    #expect(Self.texts.allSatisfy { place[keyPath: $0] == Self.full[keyPath: $0] })
  }

  @Test func `JSON contains the properties that are not nil, by their names`() throws {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.full))
    let members = try #require(object as? [String: any Sendable])
    let names: Set = [
      "countryCode", "countryCodeAlpha3", "country", "continent", "regionCode", "region",
      "regionLocalName", "district", "city", "localName", "cityDistanceMeters", "quarter",
      "timeZone", "sea",
    ]
    #expect(Set(members.keys) == names)
    #expect(Set(Mirror(reflecting: Self.full).children.compactMap(\.label)) == names)
    #expect(members["regionLocalName"] as? String == "G")
    #expect(members["cityDistanceMeters"] as? Double == 1.5)
    let decoded = try JSONDecoder().decode(Place.self, from: JSONEncoder().encode(Self.full))
    #expect(decoded == Self.full)

    let partial = Place(country: "Türkiye", sea: "Aegean Sea")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(partial)
    #expect(String(decoding: json, as: UTF8.self) == #"{"country":"Türkiye","sea":"Aegean Sea"}"#)
    #expect(try JSONDecoder().decode(Place.self, from: json) == partial)
  }

  @Test func `a place is printed with its own properties`() {
    let text = "\(Place(city: "Ghent"))"
    #expect(text.hasPrefix("Place(countryCode: nil, "))
    #expect(text.contains(#"city: Optional("Ghent")"#))
    #expect(!text.contains("ields"))
  }
}
