import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct NamesTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  @Test func `a country index corresponds to the two letters of its code`() throws {
    #expect(try #require(CountryIndex(code: "AA")).rawValue == 0)
    #expect(try #require(CountryIndex(code: "zz")).rawValue == 675)
    for number in 0..<UInt16(CountryIndex.count) {
      let country = try #require(CountryIndex(rawValue: number))
      #expect(CountryIndex(code: country.code) == country)
    }
    #expect(CountryIndex(rawValue: 676) == nil)
    for wrong in ["", "T", "TUR", "T1", "É", "t-", "[A"] {
      #expect(CountryIndex(code: wrong) == nil)
    }
    #expect(try #require(CountryIndex(code: "TR")).flag == "🇹🇷")
  }

  @Test func `every country in the data has an English name and an area`() throws {
    var named = 0
    for number in 0..<UInt16(CountryIndex.count) {
      let country = try #require(CountryIndex(rawValue: number))
      if geocoder.landAreaSquareKilometers(of: country) != nil {
        #expect(geocoder.name(of: country) != nil, "\(country)")
        named += 1
      }
    }
    #expect(named >= 245)
  }

  @Test func `known positions have their region`() {
    let known = [
      (37.7749, -122.4194, "California"), (48.137, 11.575, "Bavaria"), (35.68, 139.76, "Tokyo"),
      (-33.87, 151.21, "New South Wales"), (19.0760, 72.8777, "Maharashtra"),
      (45.4642, 9.19, "Lombardy"), (34.42, -119.70, "California"),
    ]
    for (latitude, longitude, region) in known {
      #expect(geocoder.place(at: Coordinate(latitude, longitude)).region == region)
    }
  }

  @Test func `codes of another edition give no names and do not crash`() {
    let strange = PlaceCodes(
      countryCode: 675, zone: 60_000, regionRow: 60_000, districtRow: .max, cityPlace: .max,
      quarterPlace: .max)
    #expect(geocoder.names(of: strange, at: Coordinate(48, 11)) == Place(countryCode: "ZZ"))
  }

  @Test func `the index of local names gives what a search of all of them gives`() throws {
    let gazetteer = geocoder.gazetteer
    let names = try #require(gazetteer.otherNames)
    for language in 0..<names.languageCount {
      let index = CityNameIndex(names, language: language)
      let keys = names.cityKeys(language: language)
      #expect(!keys.isEmpty)
      // The neighbors of a key lie in its block or in the next one, mostly without a name.
      for key in keys.flatMap({ [$0 - 1, $0, $0 + 1] }) + [0, 1 << 14, .max] {
        let expected = names.city(key, language: language)
        if index.name(of: key) != expected { Issue.record("\(language) \(key)") }
      }
    }
    let table = NameTable(gazetteer)
    for place in 0..<gazetteer.places.count {
      let city = CityIndex(rawValue: Int32(place))
      let name = table.localName(ofCity: gazetteer.places.identifier(of: place))
      if name != geocoder.localName(of: city) { Issue.record("\(place)") }
    }
  }

  @Test func `names decoded one by one are those of the table`() throws {
    let files = try SmallGazetteer(geocoder)
    let gazetteer = geocoder.gazetteer
    let table = NameTable(gazetteer)
    func compare(_ codes: PlaceCodes) {
      let position = PlacePosition(
        cityDistanceMeters: 5, sea: "Aegean Sea",
        nauticalZone: codes.zone % 2 == 0 ? NauticalZone(at: Coordinate(38, 25)) : nil)
      let expected = table.place(of: codes, position, gazetteer.places)
      #expect(expected.cityDistanceMeters == 5 && expected.sea == "Aegean Sea")
      // A new table of names decodes one by one.
      #expect(LazyNameTable().place(of: codes, position, gazetteer) == expected)
    }
    var codes = PlaceCodes.none
    compare(codes)
    for country in 0..<UInt16(CountryIndex.count) {
      codes.countryCode = country
      compare(codes)
    }
    codes = .none
    for region in 0...UInt16(gazetteer.places.admin1Count) + 1 {
      codes.regionRow = region
      compare(codes)
    }
    codes = .none
    for zone in 0...UInt16(gazetteer.zoneCount) + 2 {
      codes.zone = zone
      compare(codes)
    }
    codes = .none
    let end = UInt16(gazetteer.places.admin2Count)
    for district in [0, 1, end - 1, end, end + 1] + stride(from: 0, to: end, by: 37) {
      codes.districtRow = district
      compare(codes)
    }
    codes = .none
    let last = Int32(gazetteer.places.count)
    for place in [-1, 0, 1, last - 1, last, .max] + stride(from: 0, to: last, by: 97) {
      (codes.cityPlace, codes.quarterPlace) = (place, last - place)
      compare(codes)
    }
    // The table is made after as many requests, and the answers stay the same.
    let few = try files.opened()
    let (luxembourg, atlantic) = (Coordinate(49.6, 6.13), Coordinate(30, -40))
    let (first, ocean) = (few.place(at: luxembourg), few.place(at: atlantic))
    #expect(ocean.timeZone == "Etc/GMT+3")
    for _ in 0..<2 * LazyNameTable.requestsWithoutTable {
      #expect(few.place(at: luxembourg) == first && few.place(at: atlantic) == ocean)
    }
  }

  @Test func `waters added to names are those of the place`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<2_000 {
      let position = Coordinate(
        .random(in: 30...60, using: &random), .random(in: -20..<40, using: &random))
      var place = geocoder.names(of: geocoder.codes(at: position))
      if let waters = geocoder.waters(at: position) { geocoder.add(waters, to: &place) }
      let expected = geocoder.place(at: position)
      place.cityDistanceMeters = expected.cityDistanceMeters
      #expect(place == expected)
    }
  }

  @Test(arguments: [0, 1, 1_024, 1_025, 5_000])
  func `a list of places has the place of each position, in order`(count: Int) {
    #expect(Geocoder.positionsInPart == 1_024 && MemoryLayout<Place>.stride == 224)
    var random = SplitMix64(seed: UInt64(count))
    let positions = (0..<count).map { _ in
      Coordinate(.random(in: -60...75, using: &random), .random(in: -180..<180, using: &random))
    }
    #expect(geocoder.places(at: positions) == positions.map(geocoder.place(at:)))
  }

  @Test func `a city is found by its GeoNames ID`() throws {
    let istanbul = try #require(geocoder.city(geonamesID: 745_044))
    #expect(geocoder.name(of: istanbul) == "Istanbul")
    #expect(geocoder.geonamesID(of: istanbul) == 745_044)
    #expect(geocoder.population(of: istanbul) > 10_000_000)
    #expect(geocoder.cityTerritoryRadiusMeters(of: istanbul) == 25_000)
    #expect(geocoder.region(of: istanbul).flatMap(geocoder.name(of:)) == "Istanbul")
    #expect(geocoder.city(geonamesID: 0) == nil)
    #expect(geocoder.city(geonamesID: -5) == nil)
    #expect(geocoder.city(-1) == nil)
    #expect(geocoder.city(geocoder.cityCount) == nil)
  }
}
