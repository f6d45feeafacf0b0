import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Geocode

/// A slow reader of the whole file, independent of ``NamesFile``.
private struct NamesOracle {
  /// By tag: the names by key, as they are written.
  var regions: [String: [UInt32: String]] = [:]
  var cities: [String: [UInt32: String]] = [:]

  init(_ bytes: [UInt8]) {
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    var sections: [String: Int] = [:]
    for row in 0..<number(12) {
      let entry = 32 + 16 * row
      let tag = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
      sections[tag] = number(entry + 4)
      if tag == "LANG" { sections["count"] = number(entry + 12) }
    }
    func list(_ section: String, _ first: Int, _ count: Int) -> [UInt32: String] {
      var names: [UInt32: String] = [:]
      for entry in first..<first + count {
        let start = sections[section, default: 0] + 8 * entry
        let text = sections["NAME", default: 0] + number(start + 4)
        let name = bytes[text + 1..<text + 1 + Int(bytes[text])]
        names[UInt32(number(start))] = String(bytes: name, encoding: .utf8)
      }
      return names
    }
    for row in 0..<sections["count", default: 0] {
      let start = sections["LANG", default: 0] + 24 * row
      let tag = String(decoding: bytes[start..<start + 8].prefix { $0 != 0 }, as: UTF8.self)
      regions[tag] = list("RNAM", number(start + 8), number(start + 12))
      cities[tag] = list("CNAM", number(start + 16), number(start + 20))
    }
  }
}

@Suite struct OtherNamesTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  @Test func `names are those that a slow reader finds in the file`() throws {
    let names = try #require(geocoder.gazetteer.otherNames)
    let oracle = NamesOracle(Array(names.owner.bytes))
    #expect(oracle.cities.count == geocoder.languages.count + 1)
    var found = 0
    for tag in geocoder.languages {
      let language = try #require(geocoder.language(tag))
      for number in stride(from: 0, to: geocoder.cityCount, by: 7) {
        let city = try #require(geocoder.city(number))
        let identifier = UInt32(geocoder.geonamesID(of: city) ?? 0)
        let name = geocoder.name(of: city, in: language)
        guard name != oracle.cities[tag]?[identifier] else {
          found += name == nil ? 0 : 1
          continue
        }
        Issue.record("\(tag) \(number): \(name ?? "nil")")
      }
      for row in 0..<UInt16(geocoder.gazetteer.places.admin1Count) {
        let suffix = UInt32(geocoder.gazetteer.places.admin1Suffix(row).packed)
        let key = UInt32(geocoder.gazetteer.places.admin1Country(row)) << 16 | suffix
        let expected = suffix == 0 ? nil : oracle.regions[tag]?[key]
        guard geocoder.name(of: RegionIndex(rawValue: row), in: language) != expected else {
          continue
        }
        Issue.record("\(tag) region \(row)")
      }
    }
    #expect(found > 2_000)
  }

  @Test(arguments: [
    (48.137, 11.575, "de", "Bayern", "München"), (48.137, 11.575, "fr", "Bavière", "Munich"),
    (48.137, 11.575, "tr", "Bavyera", "Münih"), (41.013, 28.955, "tr", "İstanbul", "İstanbul"),
    (41.9, 12.5, "de", "Latium", "Rom"), (41.9, 12.5, "it", "Lazio", "Roma"),
    (41.9, 12.5, "es", "Lacio", "Roma"), (-33.92, 18.42, "de", "Westkap", "Kapstadt"),
    (35.69, 139.69, "ja", "東京都", "東京"), (30.05, 31.25, "ar", "محافظة القاهرة", "القاهرة"),
    (55.75, 37.62, "ru", "Москва", "Москва"), (50.94, 6.96, "nl", "Noordrijn-Westfalen", "Keulen"),
    (59.94, 30.31, "ja", "サンクトペテルブルク", "サンクトペテルブルク"),
  ])
  func `regions and cities have the names that people use in their language`(
    latitude: Double, longitude: Double, tag: String, region: String, city: String
  ) throws {
    let language = try #require(geocoder.language(tag))
    let place = geocoder.place(at: Coordinate(latitude, longitude), in: language)
    #expect(place.region == region)
    #expect(place.city == city)
  }

  /// Names that the lists of cities lack: those of time zones, and some by hand. A name in a list
  /// goes before them, unless it is a wrong one.
  @Test(arguments: [
    (1.29, 103.851, "zh", "新加坡"), (1.29, 103.851, "de", "Singapur"),
    (1.29, 103.851, "ru", "Сингапур"), (50.45, 30.523, "de", "Kiew"),
    (47.005, 28.857, "de", "Kischinau"), (30.05, 31.25, "ca", "El Caire"),
    (14.641, -90.513, "zh", "危地马拉城"), (38.895, -77.036, "ja", "ワシントン"),
    (8.994, -79.519, "ar", "مدينة بنما"), (33.7215, 73.0433, "fa", "اسلام\u{200C}آباد"),
    (47.3667, 8.55, "fr", "Zurich"), (-1.4558, -48.5044, "de", "Belém"),
    (31.533, 35.095, "ar", "الخليل"), (51.23, 51.37, "bg", "Уралск"),
    (54.707, 20.51, "de", "Kaliningrad"), (10.823, 106.63, "it", "Ho Chi Minh"),
  ])
  func `cities of time zones and capitals have a name in each language`(
    latitude: Double, longitude: Double, tag: String, city: String
  ) throws {
    let language = try #require(geocoder.language(tag))
    #expect(geocoder.place(at: Coordinate(latitude, longitude), in: language).city == city)
  }

  @Test(arguments: [
    (50.94, 6.96, "Nordrhein-Westfalen", "Köln"), (37.98, 23.73, "Αττική", "Αθήνα"),
    (21.42, 39.83, "منطقة مكة المكرمة", "مكة المكرمة"), (46.2, 6.15, "Canton de Genève", "Genève"),
    (51.05, 3.72, "Vlaams Gewest", "Gent"), (50.45, 30.52, "Київ", "Київ"),
    (45.07, 7.69, "Piemonte", "Torino"), (49.2, 16.6, "Jihomoravský kraj", nil),
  ])
  func `local names are those of the language spoken there`(
    latitude: Double, longitude: Double, region: String, city: String?
  ) throws {
    let codes = geocoder.codes(at: Coordinate(latitude, longitude))
    #expect(codes.city.flatMap(geocoder.localName(of:)) == city)
    #expect(codes.region.flatMap(geocoder.localName(of:)) == region)
  }

  @Test func `where English is spoken there is no local name`() {
    for point in [Coordinate(51.5, -0.12), Coordinate(40.71, -74.0), Coordinate(-33.87, 151.2)] {
      let codes = geocoder.codes(at: point)
      #expect(codes.city.flatMap(geocoder.localName(of:)) == nil)
      #expect(codes.region.flatMap(geocoder.localName(of:)) == nil)
    }
  }

  @Test(arguments: [
    ("de", "de"), ("de-AT", "de"), ("de_CH", "de"), ("DE", "de"), ("pt-BR", "pt"), ("nb", "no"),
    ("nn_NO", "no"), ("zh-Hant-TW", "zh"), ("iw", "he"), ("in", "id"),
  ])
  func `a tag with a country or a script is that of its language`(tag: String, known: String) {
    #expect(geocoder.language(tag)?.tag == known)
  }

  @Test(arguments: ["", "en", "en-US", "und", "xx", "d", "deu", "-de", "tlh"])
  func `English and languages without names have none`(tag: String) {
    #expect(geocoder.language(tag) == nil)
  }

  @Test func `a name in any language finds its place, one in the user's language first`() throws {
    let german = try #require(geocoder.language("de"))
    func cities(_ name: String, _ language: NameLanguage? = nil) -> [String?] {
      geocoder.cities(namedElsewhere: NameQuery(name), in: nil, language: language)
        .map(geocoder.name(of:))
    }
    #expect(cities("Kapstadt").first == "Cape Town")
    #expect(cities("LONDRA").first == "London")
    #expect(cities("Mailand", german) == ["Milan"])
    #expect(cities("Nowhereville").isEmpty)
    func regions(_ name: String) -> [String?] {
      geocoder.regions(namedElsewhere: NameQuery(name), in: nil, language: nil)
        .map(geocoder.name(of:))
    }
    #expect(regions("Bayern") == ["Bavaria"])
    #expect(regions("バイエルン自由州") == ["Bavaria"])
    #expect(regions("bavyera") == ["Bavaria"])
    #expect(regions("kaliforniya") == ["California"])
  }
}
