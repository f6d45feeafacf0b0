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
}
