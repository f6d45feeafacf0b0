import Foundation
import Geocode
import Geodesy
import Roqua
import Testing

@Suite struct CountryNameTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  @Test func `country names are translated to the requested language`() throws {
    let turkey = try #require(CountryIndex(code: "TR"))
    #expect(geocoder.name(of: turkey) == "Türkiye")
    #expect(geocoder.name(of: turkey, locale: Locale(identifier: "de")) == "Türkei")
    let codes = geocoder.codes(at: Coordinate(41.0082, 28.9784))
    #expect(geocoder.names(of: codes, locale: Locale(identifier: "fr")).country == "Turquie")
  }

  @Test func `China is China in every language, not its mainland`() throws {
    let china = try #require(CountryIndex(code: "CN"))
    let expected = [
      "de": "China", "fr": "Chine", "tr": "Çin", "ja": "中国", "ru": "Китай", "ar": "الصين",
      "zh": "中国", "zh-Hant": "中國", "bg": "Китай", "en": "China", "nb-NO": "Kina",
    ]
    for (tag, name) in expected {
      #expect(geocoder.name(of: china, locale: Locale(identifier: tag)) == name)
    }
    #expect(try geocoder.country(named: "Çin").code == "CN")
    #expect(try geocoder.country(named: "Kitajska").code == "CN")
  }

  /// These names are used for one of them in some languages, but an English reader could mean
  /// either.
  @Test(arguments: [
    ("Congo", ["Democratic Republic of the Congo (CD)", "Republic of the Congo (CG)"]),
    ("Guiana", ["French Guiana (GF)", "Guyana (GY)"]),
  ])
  func
    `a name ambiguous in English is refused even if another language is unambiguous`(
      name: String, candidates: [String]
    )
  {
    #expect(throws: PlaceNameError.ambiguous(name: name, candidates: candidates)) {
      try geocoder.country(named: name)
    }
  }

  @Test(arguments: [("Island", "IS"), ("Allemagne", "DE"), (" fr ", "FR"), ("u.s.", "US")])
  func `a country is found by its code or by its name in another language`(
    name: String, code: String
  ) throws {
    #expect(try geocoder.country(named: name).code == code)
  }

  @Test func `a name in the user's language goes before a code of three letters`() throws {
    // Russia in Vietnamese.
    let vietnamese = Locale(identifier: "vi_VN")
    #expect(try geocoder.country(named: "Nga", locale: vietnamese).code == "RU")
    #expect(try geocoder.country(named: "nga").code == "NG")
    #expect(try geocoder.country(named: "DEU", locale: vietnamese).code == "DE")
  }
}
