import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct SeaTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  /// Positions well inside each sea, read from general maps.
  static let known: [(latitude: Double, longitude: Double, sea: String)] = [
    (38.5, 25.0, "Aegean Sea"), (40.2, 25.0, "Aegean Sea"), (35.9, 25.0, "Sea of Crete"),
    (41.11, 29.07, "Bosporus"), (40.8, 28.3, "Sea of Marmara"), (40.2, 26.4, "Dardanelles"),
    (43.0, 34.0, "Black Sea"), (46.0, 37.0, "Sea of Azov"), (41.0, 50.5, "Caspian Sea"),
    (45.5, 50.0, "Caspian Sea"), (38.0, 18.5, "Ionian Sea"), (43.0, 15.0, "Adriatic Sea"),
    (40.0, 12.0, "Tyrrhenian Sea"), (43.6, 8.9, "Ligurian Sea"), (40.5, 2.5, "Balearic Sea"),
    (36.0, -3.0, "Alboran Sea"), (33.5, 31.0, "Mediterranean Sea"), (31.5, 18.0, "Gulf of Sidra"),
    (56.0, 19.0, "Baltic Sea"), (62.0, 20.0, "Gulf of Bothnia"), (60.0, 26.0, "Gulf of Finland"),
    (57.7, 23.5, "Gulf of Riga"), (57.0, 11.5, "Kattegat"), (58.0, 9.5, "Skagerrak"),
    (56.0, 3.0, "North Sea"), (50.0, -2.0, "English Channel"), (53.8, -5.0, "Irish Sea"),
    (45.0, -5.0, "Bay of Biscay"), (67.0, 5.0, "Norwegian Sea"), (74.0, 40.0, "Barents Sea"),
    (76.0, 75.0, "Kara Sea"), (76.0, -5.0, "Greenland Sea"), (60.0, -86.0, "Hudson Bay"),
    (57.0, -52.0, "Labrador Sea"), (48.0, -62.0, "Gulf of Saint Lawrence"),
    (25.0, -90.0, "Gulf of Mexico"), (15.0, -75.0, "Caribbean Sea"), (28.0, -60.0, "Sargasso Sea"),
    (2.0, 3.0, "Gulf of Guinea"), (20.0, 38.5, "Red Sea"), (28.8, 33.0, "Gulf of Suez"),
    (28.7, 34.7, "Gulf of Aqaba"), (12.5, 47.0, "Gulf of Aden"), (15.0, 64.0, "Arabian Sea"),
    (24.8, 58.5, "Gulf of Oman"), (27.0, 51.0, "Persian Gulf"), (15.0, 88.0, "Bay of Bengal"),
    (11.0, 96.0, "Andaman Sea"), (3.5, 100.2, "Strait of Malacca"),
    (9.0, 101.5, "Gulf of Thailand"), (14.0, 114.0, "South China Sea"),
    (24.3, 119.4, "Taiwan Strait"), (29.0, 125.0, "East China Sea"), (36.0, 123.0, "Yellow Sea"),
    (40.0, 135.0, "Sea of Japan"), (34.2, 133.3, "Seto Inland Sea"),
    (53.0, 149.0, "Sea of Okhotsk"),
    (58.0, -178.0, "Bering Sea"), (58.0, 178.0, "Bering Sea"), (20.0, 130.0, "Philippine Sea"),
    (8.5, 120.3, "Sulu Sea"), (-5.0, 110.0, "Java Sea"), (-17.0, 153.0, "Coral Sea"),
    (-38.0, 160.0, "Tasman Sea"), (-35.0, 130.0, "Great Australian Bight"),
    (-18.0, 41.0, "Mozambique Channel"), (27.0, -111.5, "Gulf of California"),
    (-53.5, -70.5, "Strait of Magellan"), (40.0, -40.0, "North Atlantic Ocean"),
    (-25.0, -15.0, "South Atlantic Ocean"), (30.0, -160.0, "North Pacific Ocean"),
    (-30.0, -120.0, "South Pacific Ocean"), (-25.0, 80.0, "Indian Ocean"),
    (-59.9, -15.0, "South Atlantic Ocean"), (-60.1, -15.0, "Southern Ocean"),
    (-59.9, 80.0, "Indian Ocean"), (-60.1, 80.0, "Southern Ocean"), (-76.0, -175.0, "Ross Sea"),
    (-73.0, -45.0, "Weddell Sea"), (90.0, 0.0, "Arctic Ocean"), (90.0, -180.0, "Arctic Ocean"),
    (20.0, 180.0, "North Pacific Ocean"), (20.0, -180.0, "North Pacific Ocean"),
    (20.0, 179.999_999_9, "North Pacific Ocean"), (-45.0, -180.0, "South Pacific Ocean"),
  ]

  @Test(arguments: known)
  func `a position at sea is in the sea that maps show`(
    latitude: Double, longitude: Double, sea: String
  ) {
    #expect(geocoder.sea(at: Coordinate(latitude, longitude)) == sea)
  }

  @Test func `land and lakes are in no sea`() {
    for (latitude, longitude) in [
      (41.0082, 28.9784), (48.85, 2.35), (44.0, -87.0), (53.5, 108.0), (-1.0, 33.0), (45.0, 60.0),
      (-90.0, 0.0), (21.87, 33.75),
    ] {
      let point = Coordinate(latitude, longitude)
      #expect(geocoder.sea(at: point) == nil)
      #expect(geocoder.place(at: point).sea == nil)
    }
    #expect(geocoder.place(at: Coordinate(21.87, 33.75)) == Place(), "land in no country")
  }

  @Test(arguments: Seeds.sample(3))
  func `every point at sea has a sea and a time zone, and no point on land has a sea`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var found = 0
    for number in 0..<20_000 {
      let city = geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random))
      let center = city.flatMap(geocoder.coordinate(of:)) ?? Coordinate(0, 0)
      let point =
        number % 2 == 0
        ? Coordinate.random(using: &random)
        : center.randomNeighbor(within: 30_000, using: &random)
      let place = geocoder.place(at: point)
      #expect((place.sea == nil) == geocoder.isLand(at: point), "\(point)")
      guard place.sea != nil else { continue }
      found += 1
      #expect(place.timeZone != nil, "\(point)")
      #expect(place.countryCode == geocoder.countryIndex(at: point)?.code)
      let codes = geocoder.codes(at: point)
      #expect(place.city == codes.city.flatMap(geocoder.name(of:)), "\(point)")
    }
    #expect(found > 5_000)
  }

  @Test func `names are written as in an atlas`() throws {
    let seas = try #require(geocoder.gazetteer.seas)
    var names: [String] = []
    while let name = seas.name(ofLabel: UInt16(names.count + 1)) { names.append(name) }
    #expect(names.count > 250)
    #expect(Set(names).count == names.count)
    #expect(seas.name(ofLabel: 0) == nil)
    #expect(seas.name(ofLabel: .max) == nil)
    let small: Set = ["of", "the", "off", "and", "dos", "de", "la", "d'Or"]
    for word in names.flatMap({ $0.split(separator: " ") }) where !small.contains(String(word)) {
      #expect(word.first?.isUppercase == true, "\(word)")
      #expect(word.count <= 2 || word.uppercased() != word, "\(word)")
    }
  }

  @Test func `a country's waters have its time zone, and the open sea the nautical one`() {
    for (latitude, longitude, country, zone) in [
      (37.65, 24.2, "GR", "Europe/Athens"), (41.11, 29.07, "TR", "Europe/Istanbul"),
      (0.0, -30.0, nil, "Etc/GMT+2"), (55.0, 1.0, nil, "Etc/GMT"), (38.0, 18.5, nil, "Etc/GMT-1"),
      (-45.0, 179.9, nil, "Etc/GMT-12"), (-45.0, -179.9, nil, "Etc/GMT+12"),
      (-45.0, 180.0, nil, "Etc/GMT+12"), (90.0, 45.0, nil, "Etc/GMT-3"),
    ] as [(Double, Double, String?, String)] {
      let place = geocoder.place(at: Coordinate(latitude, longitude))
      #expect(place.countryCode == country, "\(latitude) \(longitude)")
      #expect(place.timeZone == zone, "\(latitude) \(longitude)")
      #expect(place.sea != nil)
    }
  }

  @Test func `a name outside of the file is an error`() throws {
    let bytes = Array(try #require(geocoder.gazetteer.seas).owner.bytes)
    let tag = Array("SEAS".utf8)
    let entry = try #require((0..<300).first { bytes[$0..<$0 + 4].elementsEqual(tag) })
    let offset = bytes.withUnsafeBytes { Int($0.u32(entry + 4)) }
    for value in [0, 1 << 20, 0xFFFF_FFFF] {
      var damaged = bytes
      damaged.replaceSubrange(offset..<offset + 4, with: PackedFileWriter.u32(value))
      #expect(throws: GeocodeError.damaged(.seas, section: "SEAS")) {
        try SeasFile(ByteOwner(copying: PackedFileWriter.sealed(damaged)), trust: .outside)
      }
    }
  }
}
