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

  /// Some languages call one of them so, and an English reader could mean either.
  @Test(arguments: [
    ("Congo", ["Democratic Republic of the Congo (CD)", "Republic of the Congo (CG)"]),
    ("Guiana", ["French Guiana (GF)", "Guyana (GY)"]),
  ])
  func `a name in a third language is not taken for one of several English ones`(
    name: String, candidates: [String]
  ) {
    #expect(throws: PlaceNameError.ambiguous(name: name, candidates: candidates)) {
      try geocoder.country(named: name)
    }
  }

  @Test(arguments: [("Island", "IS"), ("Allemagne", "DE"), (" fr ", "FR"), ("u.s.", "US")])
  func `a name in a third language, or a code, is that of one country`(
    name: String, code: String
  ) throws {
    #expect(try geocoder.country(named: name).code == code)
  }
}
